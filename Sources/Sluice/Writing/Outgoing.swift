/// The bytes of the output on their way to be written, in order: as they come, or gathered in blocks, and without the
/// holes that lie between them. They become requests, which are made one behind the other.
///
/// A value: it waits for nobody.
struct Outgoing: ~Copyable {
    /// One is written, and one waits, so that the disk need not.
    private static let mostBlocks = 2
    /// Bytes that blocks take at most: those under way, and one that is filled meanwhile.
    static let blockMemory = (mostBlocks + 1) * BlockBuffer.blockSize

    /// Whether anything is written.
    private let hasSink: Bool
    /// Where bytes are gathered that go past the page cache; nil if they don't.
    private var blocks: BlockBuffer?
    /// Blocks that are written, or whose memory is not free yet.
    private var blocksUnderWay = 0
    /// Bytes that are left out before what comes next.
    private var hole: UInt64 = 0
    private var requests: WriteRequests
    /// What is to run for bytes that are copied, or will never be written, when their memory is free.
    private var done: [@Sendable () -> Void] = []

    /// - Parameters:
    ///   - sink: nil to write nothing.
    ///   - hasBlocks: whether bytes are gathered in blocks.
    ///   - mayWait: whether what fails may be asked for again: then nothing may have been asked for behind it.
    init(to sink: Sink?, hasBlocks: Bool, mayWait: Bool = false) {
        hasSink = sink != nil
        blocks = hasBlocks ? BlockBuffer() : nil
        requests = WriteRequests(areThrownAway: sink?.isTemporary == true && !mayWait)
    }

    /// Whether everything that was requested is written.
    var isEmpty: Bool { requests.isEmpty }

    /// Whether there are bytes that fill no block.
    var hasRest: Bool { mutating get { blocks?.isEmpty == false } }

    /// Takes what lies between the holes of some bytes. All of them are one piece of memory, which is free with the
    /// last write.
    ///
    /// - Parameters:
    ///   - isPiece: whether more of the same frame follows.
    ///   - whenFree: runs when the bytes are written, or copied into a block, and their memory is free.
    mutating func append(
        _ bytes: Bytes, without holes: [Range<Int>] = [], isPiece: Bool = false,
        whenFree: @escaping @Sendable () -> Void
    ) {
        if holes.isEmpty { return appendWhole(bytes, isPiece: isPiece, whenFree) }
        let starts: [Int] = [0] + holes.map(\.upperBound)
        let ends: [Int] = holes.map(\.lowerBound) + [bytes.count]
        let parts = zip(starts, ends).map { start, end in bytes.slice(start..<end) }
        let last = parts.lastIndex { !$0.isEmpty }
        for (index, part) in parts.enumerated() {
            if index > 0 { hole += UInt64(holes[index - 1].count) }
            let isLast = index == last
            if !part.isEmpty { appendWhole(part, isPiece: isPiece) { if isLast { whenFree() } } }
        }
        // Nothing is written.
        if last == nil { done.append(whenFree) }
    }

    /// Leaves out bytes that are there already.
    mutating func pass(_ count: UInt64) { hole += count }

    private mutating func appendWhole(_ bytes: Bytes, isPiece: Bool, _ whenFree: @escaping @Sendable () -> Void) {
        if blocks == nil || bytes.isEmpty { return request(bytes, isPiece: isPiece, whenFree) }
        blocks?.append(bytes, whenCopied: whenFree)
    }

    /// Requests the blocks that are full, as long as few are under way: what does not fit into the next one keeps its
    /// memory, and its slots.
    ///
    /// - Parameter begin: called for each block; what it returns runs when the memory of the block is free.
    /// - Throws: `outOfMemory`; what is in no block is then dropped.
    mutating func requestBlocks(_ begin: () -> @Sendable () -> Void) throws(Failure) {
        while blocks != nil {
            do throws(Failure) { done += try blocks?.fill() ?? [] } catch {
                done += blocks?.drop() ?? []
                throw error
            }
            guard blocks?.isFull == true, blocksUnderWay < Self.mostBlocks else { return }
            blocksUnderWay += 1
            request(blocks?.take() ?? Bytes(), isPiece: false, begin())
        }
    }

    /// The memory of a block is free: the next one takes it.
    mutating func blockIsFree() { blocksUnderWay -= 1 }

    /// Requests what fills no block, as it is; there are no blocks any more.
    mutating func requestRest(whenFree: @escaping @Sendable () -> Void) {
        let rest = blocks?.take() ?? Bytes()
        blocks = nil
        request(rest, isPiece: false, whenFree)
    }

    private mutating func request(_ bytes: Bytes, isPiece: Bool, _ whenFree: @escaping @Sendable () -> Void) {
        if !hasSink || bytes.isEmpty || requests.hasFailed { return done.append(whenFree) }
        requests.append(WriteRequests.Request(bytes: bytes, hole: hole, isPiece: isPiece, whenFree: whenFree))
        hole = 0
    }

    /// The next request that is to be made now.
    mutating func next() -> WriteRequests.Request? { requests.next() }

    /// What was requested is written.
    mutating func didEnd() { requests.didEnd() }

    /// What was requested could not be written, and nothing will be from now on.
    mutating func didFail() {
        done += requests.didFail().map(\.whenFree)
    }

    /// Hands over what is to run when memory is free that is let go of now.
    mutating func takeDone() -> [@Sendable () -> Void] {
        defer { done = [] }
        return done
    }

    /// Hands over the bytes that are left out at the end.
    mutating func takeHole() -> UInt64 {
        defer { hole = 0 }
        return hole
    }
}
