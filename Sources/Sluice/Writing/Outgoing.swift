internal import ByteStreams
internal import DequeModule

/// The bytes of the output on their way to a sink, in order: as they come, or gathered in blocks, and without what is
/// there already, and the holes that lie between them.
struct Outgoing: ~Copyable {
    /// Bytes for the sink, behind those before them.
    struct Request {
        let bytes: Bytes
        /// Bytes that are left out before them.
        let hole: UInt64
        /// Whether more of the same frame follows.
        var isPiece = false
        let made = Span.now()
        /// To be run when they are written and their memory is free, or when they never will be.
        let whenFree: @Sendable () -> Void

        /// How far the output goes on with them, in bytes.
        var count: Int { bytes.count + Int(hole) }
    }

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
    /// What is there already, as long as it is the same as what comes.
    private var kept: ResumableContent?
    /// Bytes that are left out before what comes next.
    private var hole: UInt64 = 0
    private var requests: Deque<Request> = []
    /// What is to run for bytes that are copied, or will never be written, when their memory is free.
    private var done: [@Sendable () -> Void] = []

    /// - Parameters:
    ///   - hasSink: whether anything is written.
    ///   - hasBlocks: whether bytes are gathered in blocks.
    ///   - kept: what an earlier run has left; nil if nothing is to be kept.
    init(hasSink: Bool, hasBlocks: Bool, kept: ResumableContent? = nil) {
        (self.hasSink, self.kept) = (hasSink, kept)
        blocks = hasBlocks ? BlockBuffer() : nil
    }

    /// Takes what lies between the holes of some bytes. All of them are one piece of memory, which is free with the
    /// last write.
    ///
    /// - Parameters:
    ///   - isPiece: whether more of the same frame follows.
    ///   - whenFree: runs when the bytes are written, or copied into a block, and their memory is free.
    /// - Throws: `otherSource` if other bytes are there, `writing` if what is there can't be read.
    mutating func append(
        _ bytes: Bytes, without holes: [Range<Int>] = [], isPiece: Bool = false,
        whenFree: @escaping @Sendable () -> Void
    ) throws(Failure) {
        var (bytes, holes) = (bytes, holes)
        if kept?.isOver == false {
            let count: Int
            do throws(Failure) { count = try kept?.match(bytes) ?? 0 } catch {
                done.append(whenFree)
                throw error
            }
            _ = bytes.removeFirst(count)
            hole += UInt64(count)
            if count > 0 { holes = [] }
        }
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

    /// Cuts off what is there behind the end of the output.
    ///
    /// - Throws: `writing`.
    mutating func endKept() throws(Failure) {
        if kept?.isOver == false { try kept?.end() }
    }

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
            request(blocks?.take() ?? Bytes(), begin())
        }
    }

    /// The memory of so many blocks is free: the next ones take it.
    mutating func blocksAreFree(_ count: Int) { blocksUnderWay -= count }

    /// Requests what fills no block, as it is; there are no blocks any more.
    mutating func requestRest(whenFree: @escaping @Sendable () -> Void) {
        let rest = blocks?.take() ?? Bytes()
        blocks = nil
        request(rest, whenFree)
    }

    private mutating func request(_ bytes: Bytes, isPiece: Bool = false, _ whenFree: @escaping @Sendable () -> Void) {
        if !hasSink || bytes.isEmpty { return done.append(whenFree) }
        requests.append(Request(bytes: bytes, hole: hole, isPiece: isPiece, whenFree: whenFree))
        hole = 0
    }

    /// The next request.
    mutating func next() -> Request? { requests.popFirst() }

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
