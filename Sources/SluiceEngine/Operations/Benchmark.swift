/// Measures how fast content in memory is compressed and decompressed, by the transforms of a run's workers.
///
/// The content is cut into frames as in a run, and each worker takes the next one. The fastest of many rounds counts:
/// slower ones were delayed by other processes.
package struct Benchmark {
    /// The result for one level.
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

    private let contents: [HeapMemory]
    private let threads: Int
    private let time: Duration

    /// - Parameters:
    ///   - contents: compressed separately; none of them is empty.
    ///   - time: how long each direction is measured, for at least one round.
    package init(_ contents: [HeapMemory], threads: Int, time: Duration) {
        self.contents = contents
        self.threads = Job.threads(threads)
        self.time = time
    }

    /// Compresses to independent frames, and decompresses these.
    ///
    /// - Parameter decompressing: the counterpart of `dictionary`.
    /// - Throws: `codec`; also if the decompressed bytes differ from the content.
    package func measure(
        _ options: CompressionOptions, dictionary: CompressionDictionary? = nil,
        decompressing: DecompressionDictionary? = nil
    ) throws(Failure) -> Measurement {
        let contents = contents.flatMap { Self.cut($0, into: options.effectiveFrameSize) }
        let (compression, frames) = try fastest(contents, rooms: contents.map { CompressionOptions.bound($0.count) }) {
            () throws(Failure) in try FrameMaker(options, dictionary: dictionary)
        }
        let (decompression, copies) = try decompress(frames, rooms: contents.map(\.count), decompressing)
        for (content, copy) in zip(contents, copies) where !content.bytes.elementsEqual(copy.bytes) {
            throw .codec(.corrupt(reason: "its content is not what was compressed", offset: 0))
        }
        return Measurement(
            contentSize: Self.size(contents), compressedSize: Self.size(frames), compression: compression,
            decompression: decompression)
    }

    /// Decompresses contents that are frames.
    ///
    /// - Throws: `codec`.
    package func measureDecompression(_ dictionary: DecompressionDictionary? = nil) throws(Failure) -> Measurement {
        var (frames, bounds): ([Region], [Int]) = ([], [])
        for content in contents {
            var walk = FrameWalk(over: FramesInMemory(content.bytes))
            while let step = walk.next() {
                if let flaw = step.flaw { throw .codec(flaw) }
                if step.frame.isSkippable { continue }
                let start = Int(step.frame.offset)
                frames.append(Region(memory: content, range: start..<start + Int(step.frame.compressedSize)))
                bounds.append(Int(clamping: step.frame.decompressedBound))
            }
        }
        let (time, copies) = try decompress(frames, rooms: bounds, dictionary)
        let compressed = contents.reduce(0) { $0 + UInt64($1.bytes.count) }
        return Measurement(contentSize: Self.size(copies), compressedSize: compressed, decompression: time)
    }

    private func decompress(
        _ frames: [Region], rooms: [Int], _ dictionary: DecompressionDictionary?
    ) throws(Failure) -> (Duration, [Region]) {
        let limits = DecodingLimits(windowSize: .max, dictionaryIdentifier: dictionary?.identifier)
        return try fastest(frames, rooms: rooms) { () throws(Failure) in
            try WholeFileDecompression(limits: limits, dictionary: dictionary)
        }
    }

    /// Transforms all the regions, round after round.
    ///
    /// - Parameter rooms: the most bytes that each region becomes.
    /// - Returns: the fastest round, and what the regions became.
    private func fastest(
        _ sources: [Region], rooms: [Int], _ makeTransform: () throws(Failure) -> sending any WholeFileTransform
    ) throws(Failure) -> (Duration, [Region]) {
        var (results, lanes): ([HeapMemory], [Locked<any WholeFileTransform>]) = ([], [])
        for room in rooms { results.append(HeapMemory(try OutputBuffer.allocate(room))) }
        for _ in 0..<threads { lanes.append(Locked(try makeTransform())) }
        let end = ContinuousClock.now + time
        var (fastest, sizes) = (Duration.seconds(Int64.max >> 32), [Int]())
        repeat {
            let start = ContinuousClock.now
            // One thread at a time has a source and its result.
            sizes = try runLanes(lanes.count, over: sources.count) { [results, lanes] index, lane throws(Failure) in
                try lanes[lane].withLock { transform throws(Failure) in
                    try transform.apply(sources[index].bytes.bytes, into: results[index].writable)
                }
            }
            fastest = min(fastest, .now - start)
        } while .now < end
        return (fastest, zip(results, sizes).map { Region(memory: $0, range: 0..<$1) })
    }

    private static func cut(_ content: HeapMemory, into size: Int) -> [Region] {
        let count = content.bytes.count
        return stride(from: 0, to: count, by: size).map {
            Region(memory: content, range: $0..<min($0 + size, count))
        }
    }

    private static func size(_ regions: [Region]) -> UInt64 { regions.reduce(0) { $0 + UInt64($1.count) } }
}

/// Some of the bytes of a memory, which it keeps.
private struct Region: Sendable {
    let memory: HeapMemory
    let range: Range<Int>

    var count: Int { range.count }
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory.writable.extracting(range)) }
}
