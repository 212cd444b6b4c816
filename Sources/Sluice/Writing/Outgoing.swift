internal import DequeModule

/// Turns the bytes of the output, in order, into requests for a sink: as they are, or gathered in blocks, without holes
/// and without the content that an earlier run has left there.
struct Outgoing: ~Copyable {
    /// Bytes for the sink, which follow those before them.
    struct Request {
        let bytes: Bytes
        /// Bytes of the hole in front of them.
        let hole: UInt64
        /// Whether more of the same frame follows.
        var isContinued = false
        let made = Span.now()
        /// Runs when the bytes are written and their memory is free, or when they never will be.
        let whenFree: @Sendable () -> Void

        /// Bytes of the output that it covers.
        var count: Int { bytes.count + Int(hole) }
    }

    /// One block is written while another one waits, so that the disk is never idle.
    private static let mostBlocks = 2
    /// The most bytes of blocks: those under way, and the one that is being filled.
    static let blockMemory = (mostBlocks + 1) * BlockBuffer.blockSize

    private let hasSink: Bool
    /// Gathers bytes that bypass the page cache.
    private var blocks: BlockBuffer?
    /// Blocks that are being written, or whose memory is not free yet.
    private var blocksUnderWay = 0
    /// The content of an earlier run, as long as the output matches it.
    private var kept: ResumableContent?
    /// Bytes of the hole in front of the next bytes.
    private var hole: UInt64 = 0
    private var requests: Deque<Request> = []
    /// Runs when the memory of bytes that were copied, or won't be written, is free.
    private var done: [@Sendable () -> Void] = []

    init(hasSink: Bool, hasBlocks: Bool, kept: ResumableContent? = nil) {
        (self.hasSink, self.kept) = (hasSink, kept)
        blocks = hasBlocks ? BlockBuffer() : nil
    }

    /// Adds bytes, leaving out their holes.
    ///
    /// - Parameters:
    ///   - isContinued: whether more of the same frame follows.
    ///   - whenFree: runs when all the bytes are written, or copied into a block, and their memory is free.
    /// - Throws: `otherSource` if an earlier run has left other bytes there, `writing` if these can't be read.
    mutating func append(
        _ bytes: Bytes, without holes: [Range<Int>] = [], isContinued: Bool = false,
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
        if holes.isEmpty { return appendWhole(bytes, isContinued: isContinued, whenFree) }
        let end = bytes.count
        if holes.last?.upperBound != end { holes.append(end..<end) }
        var position = 0
        for hole in holes {
            let data = bytes.slice(position..<hole.lowerBound)
            // All data has the same memory, which is free with the last write.
            if hole.upperBound == end {
                appendWhole(data, isContinued: isContinued, whenFree)
            } else if !data.isEmpty {
                appendWhole(data, isContinued: isContinued) {}
            }
            self.hole += UInt64(hole.count)
            position = hole.upperBound
        }
    }

    /// Cuts off the content of an earlier run after the end of the output.
    ///
    /// - Throws: `writing`.
    mutating func endKept() throws(Failure) {
        if kept?.isOver == false { try kept?.end() }
    }

    private mutating func appendWhole(_ bytes: Bytes, isContinued: Bool, _ whenFree: @escaping @Sendable () -> Void) {
        if blocks == nil || bytes.isEmpty { return request(bytes, isContinued: isContinued, whenFree) }
        blocks?.append(bytes, whenCopied: whenFree)
    }

    /// Requests the blocks that are full, as long as few are under way; further bytes keep their memory and slots.
    ///
    /// - Parameter begin: called for each block; its result runs when the memory of the block is free.
    /// - Throws: `outOfMemory`; bytes outside the blocks are then dropped.
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

    /// Reports that the memory of blocks is free.
    mutating func blocksAreFree(_ count: Int) { blocksUnderWay -= count }

    /// Requests the bytes that don't fill a block, and uses no blocks from then on.
    mutating func requestRest(whenFree: @escaping @Sendable () -> Void) {
        let rest = blocks?.take() ?? Bytes()
        blocks = nil
        request(rest, whenFree)
    }

    private mutating func request(
        _ bytes: Bytes, isContinued: Bool = false, _ whenFree: @escaping @Sendable () -> Void
    ) {
        if !hasSink || bytes.isEmpty { return done.append(whenFree) }
        requests.append(Request(bytes: bytes, hole: hole, isContinued: isContinued, whenFree: whenFree))
        hole = 0
    }

    mutating func next() -> Request? { requests.popFirst() }

    mutating func takeDone() -> [@Sendable () -> Void] {
        defer { done = [] }
        return done
    }

    /// Bytes of the hole at the end of the output.
    mutating func takeHole() -> UInt64 {
        defer { hole = 0 }
        return hole
    }
}
