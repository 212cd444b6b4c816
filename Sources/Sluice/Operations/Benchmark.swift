internal import Glibc
internal import Synchronization
package import ZstdCodec

/// Compresses and decompresses what is in memory, with what the workers of a run have, to tell how fast that is.
///
/// The content is cut into frames as it is in a run, and each worker takes the next one. The best of many rounds
/// counts: what takes longer was kept waiting by others.
package struct Benchmark {
    /// What one level did.
    package struct Measurement: Equatable, Sendable {
        /// Bytes.
        package var contentSize: UInt64
        /// Bytes.
        package var compressedSize: UInt64
        /// The fastest round; nil if nothing was compressed.
        package var compression: Duration?
        /// The fastest round.
        package var decompression: Duration
    }

    private let contents: [any HeldMemory]
    private let threads: Int
    /// How long each way is measured; one round takes place in any case.
    private let time: Duration

    /// - Parameters:
    ///   - contents: what is compressed, each for itself; none of them is empty.
    ///   - threads: workers, at least 1.
    package init(_ contents: [any HeldMemory], threads: Int, time: Duration) {
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
    package func measure(
        _ options: CompressionOptions, dictionary: CompressionDictionary? = nil,
        decompressing: DecompressionDictionary? = nil
    ) throws(Failure) -> Measurement {
        let pieces = contents.flatMap { Self.cut($0, into: options.frameSize) }
        let frames = try Arena(rooms: pieces.map { CompressionOptions.bound($0.range.count) })
        let lanes = try lanes { () throws(Failure) in try WholeFileCompression(options, dictionary: dictionary) }
        let compression = try fastest(pieces, frames, lanes)
        let content = try Arena(rooms: pieces.map(\.range.count))
        let decompression = try decompress(frames.filled, content, decompressing)
        for (piece, copy) in zip(pieces, content.filled) where !piece.bytes.elementsEqual(copy.bytes) {
            throw .codec(.corrupt(reason: "its content is not what was compressed", offset: 0))
        }
        return Measurement(
            contentSize: Self.size(pieces), compressedSize: Self.size(frames.filled), compression: compression,
            decompression: decompression)
    }

    /// Decompresses contents that are frames.
    ///
    /// - Throws: `codec`.
    package func measureDecompression(_ dictionary: DecompressionDictionary? = nil) throws(Failure) -> Measurement {
        var (pieces, rooms): ([HeldRegion], [Int]) = ([], [])
        for content in contents {
            try codec { () throws(CodecFailure) in
                var scanner = FrameScanner()
                var start = 0
                while start < content.bytes.count {
                    let rest = UnsafeRawBufferPointer(rebasing: content.bytes[start...])
                    let (size, frame) = try scanner.scan(rest)
                    if let frame, !frame.isSkippable {
                        pieces.append(HeldRegion(memory: content, range: start..<start + size))
                        rooms.append(Int(clamping: frame.decompressedBound))
                    }
                    start += size
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
        _ frames: [HeldRegion], _ content: Arena, _ dictionary: DecompressionDictionary?
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
        _ pieces: [HeldRegion], _ arena: Arena, _ lanes: [Lane]
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
        _ pieces: [HeldRegion], _ arena: Arena, _ lanes: [Lane]
    ) throws(Failure) {
        let next = Atomic(0)
        let failure = Mutex<Failure?>(nil)
        // Each piece, and its room, is one thread's at a time.
        runLanes(min(lanes.count, pieces.count)) { lane in
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < pieces.count else { return }
                do throws(Failure) {
                    try lanes[lane].apply(pieces[index], index, arena)
                } catch {
                    return failure.withLock { $0 = error }
                }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    private static func cut(_ content: any HeldMemory, into size: Int) -> [HeldRegion] {
        let count = content.bytes.count
        return stride(from: 0, to: count, by: size).map {
            HeldRegion(memory: content, range: $0..<min($0 + size, count))
        }
    }

    private static func size(_ pieces: [HeldRegion]) -> UInt64 {
        pieces.reduce(0) { $0 + UInt64($1.range.count) }
    }
}

/// What one worker has.
private final class Lane: Sendable {
    private let transform: Mutex<any WholeFileTransform>

    init(_ transform: sending any WholeFileTransform) { self.transform = Mutex(transform) }

    /// Transforms a piece into its room.
    func apply(_ piece: HeldRegion, _ index: Int, _ arena: Arena) throws(Failure) {
        try transform.withLock { transform throws(Failure) in
            arena.fill(index, try transform.apply(piece.bytes, into: arena.room(index)))
        }
    }
}
