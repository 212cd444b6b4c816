package import ByteStreams
internal import DequeModule

/// Decides what is written next: frames in the order of their chunks.
///
/// A plain value, independent of locks, files and threads.
package struct FrameOrder: Sendable {
    private var reorder = ReorderBuffer<Result<ChunkResult, Failure>>()
    private var holdBack: HoldBack
    /// Whether the first frame waits for the second one, or for the end of the input.
    private var holdsFirst: Bool
    private var hasInputEnded = false
    /// The chunk after which none counts.
    private(set) var lastIndex = Int.max
    /// Whether no further frame is needed. Failures that come later are then dropped too.
    package var isComplete = false
    /// Whether all frames have arrived.
    package private(set) var hasEnded = false
    /// Why nothing more goes out. Whatever waits is dropped, and so is what comes later, because a worker may be
    /// waiting for the memory.
    package private(set) var failure: Failure? { didSet { reorder = ReorderBuffer() } }

    /// - Parameters:
    ///   - holdBack: needs a call of `slotsDidChange` for every change.
    ///   - holdsFirst: whether the first frame alone would look like a complete output to a reader. It is held back
    ///     until it is known what follows, and dropped if that fails.
    package init(holdBack: HoldBack = HoldBack(until: 0), holdsFirst: Bool = false) {
        (self.holdBack, self.holdsFirst) = (holdBack, holdsFirst)
    }

    /// The index of the next frame.
    package var nextIndex: Int { reorder.next }

    /// Adds a frame, or the failure in its place.
    package mutating func insert(_ outcome: Result<ChunkResult, Failure>, at index: Int, isLast: Bool) {
        if failure != nil || index > lastIndex { return }
        if case .failure = outcome { holdBack.end() }
        reorder.insert(outcome, at: index, isLast: isLast)
    }

    /// Drops what has come of the chunks after this one, and what will come. None of it is due yet, also not to let a
    /// first frame go: only output with an envelope holds that back, and no chunk of its input ends by a claim.
    package mutating func end(after index: Int) {
        lastIndex = index
        reorder.drop(after: index)
    }

    /// Reports a change in the number of slots in use, after which frames that were held back may be due.
    package mutating func slotsDidChange(by change: Int) { holdBack.slotsDidChange(by: change) }

    /// Reports that no more chunks will be read.
    ///
    /// - Parameter failure: why; nil at the end of the input.
    package mutating func inputDidEnd(because failure: Failure? = nil) {
        if holdsFirst, let failure { fail(failure) }
        hasInputEnded = true
        holdBack.end()
    }

    /// Reports that no more frames will arrive.
    package mutating func end() {
        (hasEnded, hasInputEnded) = (true, true)
        holdBack.end()
    }

    /// Reports that everything so far has been written. Output is held back again only if no frame waits for an earlier
    /// one.
    package mutating func outputDidRunDry() {
        if reorder.count == 0 { holdBack.outputDidRunDry() }
    }

    /// Ends the output here.
    package mutating func fail(_ failure: Failure) {
        if self.failure == nil { self.failure = failure }
    }

    /// Whether `next` has something to say: a frame, or a failure.
    package mutating func isDue() -> Bool {
        if !holdBack.isHolding, !isHoldingFirst(), reorder.isReady { return true }
        return failure != nil
    }

    /// The next frame; nil if it has not arrived, or is held back.
    ///
    /// - Throws: the failure whose turn has come.
    package mutating func next() throws(Failure) -> ChunkResult? {
        while failure == nil, !holdBack.isHolding, !isHoldingFirst(), let outcome = reorder.popReady() {
            switch outcome {
            case .success(let frame): return frame
            case .failure(let failure): if !isComplete { self.failure = failure }
            }
        }
        if let failure { throw failure }
        return nil
    }

    /// Whether the first frame has to wait. It is dropped if a failure follows it.
    private mutating func isHoldingFirst() -> Bool {
        guard holdsFirst, case .success? = reorder.first(of: 0) else { return false }
        switch reorder.first(of: 1) {
        case nil: return !hasInputEnded
        case .success: holdsFirst = false
        case .failure(let failure): fail(failure)
        }
        return failure != nil
    }
}

/// Decides when frames are held back: at the start, and whenever everything has been written, until enough slots are in
/// use.
///
/// Slots may be reported as taken and given back in any order.
package struct HoldBack: Sendable {
    private let level: Int
    private var inUse = 0
    private var hasEnded = false
    package private(set) var isHolding: Bool

    /// - Parameter level: how many slots in use are enough; 0 never to hold anything back.
    package init(until level: Int) {
        self.level = level
        isHolding = level > 0
    }

    /// Reports a change in the number of slots in use.
    package mutating func slotsDidChange(by change: Int) {
        inUse += change
        if inUse >= level { isHolding = false }
    }

    /// Reports that everything so far has been written.
    ///
    /// If enough slots are in use already, nothing is held back. All of them may be: frames give their slots back
    /// when they are copied into a block, and new chunks take these. Then no further slot could end the holding.
    package mutating func outputDidRunDry() {
        isHolding = !hasEnded && inUse < level
    }

    /// Reports that no more chunks come, or that a failure has come, so the buffer won't get any fuller.
    package mutating func end() {
        hasEnded = true
        isHolding = false
    }
}

/// Puts elements back into the order of their indices. An index may have several elements, of which the last is marked.
struct ReorderBuffer<Element: Sendable>: Sendable {
    /// The index of the next elements.
    private(set) var next = 0
    /// The elements of each index; nil marks the end of an index. Those of `next` never begin with a mark.
    private var elements: [Int: Deque<Element?>] = [:]

    /// The number of elements that wait for earlier ones.
    var count: Int { elements.values.reduce(0) { $0 + $1.count { $0 != nil } } }
    /// Whether the next element has arrived.
    var isReady: Bool { elements[next]?.isEmpty == false }

    mutating func insert(_ element: Element, at index: Int, isLast: Bool) {
        precondition(index >= next, "an index that is complete got another element")
        elements[index, default: []].append(element)
        if isLast { elements[index]?.append(nil) }
    }

    /// Drops all elements of the indices after this one.
    mutating func drop(after index: Int) { elements = elements.filter { $0.key <= index } }

    /// The first element of an index that is not due yet, or next; nil if it has not arrived.
    func first(of index: Int) -> Element? { elements[index]?.first ?? nil }

    /// Removes the next element in order, if it has arrived.
    mutating func popReady() -> Element? {
        let element = elements[next]?.popFirst() ?? nil
        if let first = elements[next]?.first, first == nil {
            elements[next] = nil
            next += 1
        }
        return element
    }
}
