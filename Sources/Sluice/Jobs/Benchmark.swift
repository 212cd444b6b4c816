internal import Dispatch
internal import Glibc
internal import Synchronization
public import ZstdCodec

/// Compresses and decompresses what is in memory, with what the workers of a run have, to tell how fast that is.
///
/// The content is cut into frames as it is in a run, and each worker takes the next one. The best of many rounds counts:
/// what takes longer was kept waiting by others.
public struct Benchmark {
    /// What one level did.
    public struct Measurement: Equatable, Sendable {
        /// Bytes.
        public var contentSize: UInt64
        /// Bytes.
        public var compressedSize: UInt64
        /// The fastest round; nil if nothing was compressed.
        public var compression: Duration?
        /// The fastest round.
        public var decompression: Duration
    }

    private let contents: [any HeldMemory]
    private let threads: Int
    /// How long each way is measured; one round takes place in any case.
    private let time: Duration

    /// - Parameters:
    ///   - contents: what is compressed, each for itself; none of them is empty.
    ///   - threads: workers, at least 1.
    public init(_ contents: [any HeldMemory], threads: Int, time: Duration) {
        self.contents = contents
        self.threads = max(1, threads)
        self.time = time
    }

    /// Compresses to independent frames, and decompresses these.
    ///
    /// - Parameters:
    ///   - dictionary: what the frames refer to, made for the same options.
    ///   - decompressing: its counterpart.
    /// - Throws: `codec`; also if what was decompressed is not what was compressed.
    public func measure(
        _ options: CompressionOptions, dictionary: CompressionDictionary? = nil,
        decompressing: DecompressionDictionary? = nil
    ) throws(Failure) -> Measurement {
        let pieces = contents.flatMap { Self.cut($0.bytes, into: options.frameSize) }
        let frames = try Arena(rooms: pieces.map { CompressionOptions.bound($0.count) })
        let lanes = try lanes { () throws(Failure) in try WholeFileCompression(options, dictionary: dictionary) }
        let compression = try fastest(pieces, frames, lanes)
        let content = try Arena(rooms: pieces.map(\.count))
        let decompression = try decompress(frames.filled, content, decompressing)
        for (piece, copy) in zip(pieces, content.filled)
        where !piece.elementsEqual(copy) {
            throw .codec(.corrupt(reason: "its content is not what was compressed", offset: 0))
        }
        return Measurement(
            contentSize: Self.size(pieces), compressedSize: Self.size(frames.filled), compression: compression,
            decompression: decompression)
    }

    /// Decompresses contents that are frames.
    ///
    /// - Throws: `codec`.
    public func measureDecompression(_ dictionary: DecompressionDictionary? = nil) throws(Failure) -> Measurement {
        var (pieces, rooms): ([UnsafeRawBufferPointer], [Int]) = ([], [])
        for content in contents {
            try codec { () throws(CodecFailure) in
                var scanner = FrameScanner()
                var rest = content.bytes
                while !rest.isEmpty {
                    let (size, frame) = try scanner.scan(rest)
                    if let frame, !frame.isSkippable {
                        pieces.append(UnsafeRawBufferPointer(rebasing: rest[..<size]))
                        rooms.append(Int(clamping: frame.decompressedBound))
                    }
                    rest = UnsafeRawBufferPointer(rebasing: rest[size...])
                }
                try scanner.finish()
            }
        }
        let content = try Arena(rooms: rooms)
        let time = try decompress(pieces, content, dictionary)
        let compressed = contents.reduce(0) { $0 + UInt64($1.bytes.count) }
        return Measurement(contentSize: Self.size(content.filled), compressedSize: compressed, decompression: time)
    }

    private func decompress(
        _ frames: [UnsafeRawBufferPointer], _ content: Arena, _ dictionary: DecompressionDictionary?
    ) throws(Failure) -> Duration {
        let limits = DecodingLimits(windowSize: .max, dictionaryIdentifier: dictionary?.identifier)
        let lanes = try lanes { () throws(Failure) in
            try WholeFileDecompression(limits: limits, dictionary: dictionary)
        }
        return try fastest(frames, content, lanes)
    }

    private func lanes(
        _ make: () throws(Failure) -> sending any WholeFileTransform
    ) throws(Failure) -> [Lane] {
        var lanes: [Lane] = []
        for _ in 0..<threads { lanes.append(Lane(try make())) }
        return lanes
    }

    /// Does all the pieces, round after round.
    private func fastest(
        _ pieces: [UnsafeRawBufferPointer], _ arena: Arena, _ lanes: [Lane]
    ) throws(Failure) -> Duration {
        let end = ContinuousClock.now + time
        var fastest = Duration.seconds(Int64.max >> 32)
        repeat {
            let start = ContinuousClock.now
            try round(pieces, arena, lanes)
            fastest = min(fastest, .now - start)
        } while .now < end
        return fastest
    }

    private func round(
        _ pieces: [UnsafeRawBufferPointer], _ arena: Arena, _ lanes: [Lane]
    ) throws(Failure) {
        let next = Atomic(0)
        let failure = Mutex<Failure?>(nil)
        // Each piece, and its room, is one thread's at a time.
        nonisolated(unsafe) let pieces = pieces
        DispatchQueue.concurrentPerform(iterations: min(lanes.count, pieces.count)) { lane in
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < pieces.count else { return }
                do throws(Failure) {
                    arena.fill(index, try lanes[lane].apply(pieces[index], into: arena.room(index)))
                } catch {
                    return failure.withLock { $0 = error }
                }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    private static func cut(_ content: UnsafeRawBufferPointer, into size: Int) -> [UnsafeRawBufferPointer] {
        stride(from: 0, to: content.count, by: size).map {
            UnsafeRawBufferPointer(rebasing: content[$0..<min($0 + size, content.count)])
        }
    }

    private static func size(_ pieces: [UnsafeRawBufferPointer]) -> UInt64 {
        pieces.reduce(0) { $0 + UInt64($1.count) }
    }
}

/// What one worker has.
private final class Lane: Sendable {
    // One thread's at a time.
    nonisolated(unsafe) private let transform: any WholeFileTransform

    init(_ transform: sending any WholeFileTransform) { self.transform = transform }

    func apply(_ piece: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        try transform.apply(piece, into: memory)
    }
}

/// Memory with a room for the result of each piece.
private final class Arena: Sendable {
    // Each room is one thread's at a time.
    nonisolated(unsafe) private let memory: UnsafeMutableRawBufferPointer
    private let rooms: [Range<Int>]
    private let sizes: Mutex<[Int]>

    /// - Parameter rooms: bytes of each.
    /// - Throws: `outOfMemory`.
    init(rooms: [Int]) throws(Failure) {
        var (ranges, end): ([Range<Int>], Int) = ([], 0)
        for room in rooms {
            let (next, isTooMuch) = end.addingReportingOverflow(room)
            if isTooMuch { throw .codec(.outOfMemory) }
            ranges.append(end..<next)
            end = next
        }
        self.rooms = ranges
        sizes = Mutex(rooms.map { _ in 0 })
        memory = try OutputBuffer.allocate(end)
    }

    deinit { free(memory.baseAddress) }

    func room(_ index: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: memory[rooms[index]])
    }

    /// Says how many bytes of a room are in use.
    func fill(_ index: Int, _ size: Int) { sizes.withLock { $0[index] = size } }

    /// What is in use of each room.
    var filled: [UnsafeRawBufferPointer] {
        zip(rooms, sizes.withLock { $0 }).map { room, size in
            UnsafeRawBufferPointer(rebasing: memory[room.lowerBound..<room.lowerBound + size])
        }
    }
}
