/// Decides what is written next: frames in the order of their chunks, with their envelope, or only the bytes of an
/// excerpt.
///
/// A value that knows no lock, no file and no other thread.
struct FrameOrder: Sendable {
    enum Step: Sendable {
        /// A frame whose turn has come, behind what the envelope puts in front of it.
        case frame(Frame, behind: [UInt8])
        /// Report that everything before was handed on.
        case settled
    }

    private var reorder = ReorderBuffer<Result<Frame, Failure>>()
    private var envelope: (any Envelope)?
    private var holdBack: HoldBack
    private var excerpt: Excerpt?
    private var whenComplete: (@Sendable () -> Void)?
    /// Whether `settled` follows all frames that have arrived.
    private var isSettling = false
    /// A failure whose turn has come, while frames before it are still being written. The frames after it are dropped,
    /// because a worker may wait for their memory.
    private(set) var failure: Failure? { didSet { reorder = ReorderBuffer() } }
    /// Bytes of the frames so far, and of the input that they were made from.
    private(set) var sizes = Delivery()

    /// - Parameter holdBack: needs every call of `slotsDidChange`.
    init(_ envelope: (any Envelope)? = nil, holdBack: HoldBack = HoldBack(until: 0)) {
        (self.envelope, self.holdBack) = (envelope, holdBack)
    }

    /// The index whose frame is due.
    var nextIndex: Int { reorder.next }
    /// With an excerpt, bytes of content in all frames so far.
    var excerptPosition: UInt64 { excerpt?.position ?? 0 }
    /// Whether all of an excerpt has arrived.
    var isComplete: Bool { excerpt?.isComplete == true }

    /// Adds a frame, or the failure that came in its place.
    mutating func insert(_ outcome: Result<Frame, Failure>, at index: Int, isLast: Bool) {
        if failure != nil { return }
        if case .failure = outcome { holdBack.end() }
        reorder.insert(outcome, at: index, isLast: isLast)
    }

    /// Selects an excerpt from now on, and drops everything after its end, failures too.
    ///
    /// - Parameter whenComplete: returned once by `takeWhenComplete`, when no further frame is needed.
    mutating func keep(only excerpt: Excerpt, whenComplete: @escaping @Sendable () -> Void) {
        (self.excerpt, self.whenComplete) = (excerpt, whenComplete)
    }

    mutating func takeWhenComplete() -> (@Sendable () -> Void)? { isComplete ? whenComplete.take() : nil }

    /// Reports that more slots are in use, or fewer; frames that were held back may be due.
    mutating func slotsDidChange(by change: Int) { holdBack.slotsDidChange(by: change) }

    /// Reports that no further chunk will be read.
    mutating func inputDidEnd() { holdBack.end() }

    /// Reports that everything so far is written. In the middle of a frame holding back would not fill the buffer.
    mutating func outputDidRunDry() {
        if reorder.count == 0 { holdBack.outputDidRunDry() }
    }

    /// Ends the output here.
    mutating func fail(_ failure: Failure) {
        if self.failure == nil { self.failure = failure }
        holdBack.end()
    }

    /// Adds the step `settled` after all frames that have arrived.
    mutating func settle() { isSettling = true }

    func trailer() throws(Failure) -> [UInt8] { try envelope?.trailer() ?? [] }

    /// The next step; nil if it has not arrived, or is held back. After a failure only `settled` remains.
    mutating func next() -> Step? {
        while failure == nil, !holdBack.isHolding, let outcome = reorder.popReady() {
            switch outcome {
            case .success(let frame): if let step = take(frame) { return step }
            case .failure(let failure): if !isComplete { self.failure = failure }
            }
        }
        defer { isSettling = false }
        return isSettling ? .settled : nil
    }

    /// Nil, with a failure, if the stream has no room for another frame.
    private mutating func take(_ frame: Frame) -> Step? {
        if envelope?.isFull == true {
            failure = .codec(.tooManyFrames)
            return nil
        }
        let header = envelope?.append(frame) ?? []
        var frame = frame
        let count = frame.bytes.count
        if let ranges = excerpt?.take(UInt64(count), isLast: !frame.isContinued), ranges != [0..<count] {
            (frame.bytes, frame.holes) = (Bytes(joining: ranges.map(frame.bytes.slice)), [])
        }
        sizes += Delivery(source: frame.sourceSize, made: frame.bytes.count)
        return .frame(frame, behind: header)
    }
}
