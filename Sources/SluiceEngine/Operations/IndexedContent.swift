internal import Synchronization

/// The content of a file whose frames are known, any range of which can be decoded. Any thread may ask.
///
/// Small frames are decoded as a whole, and those that were used last are kept. Of large ones there are cursors.
package final class IndexedContent: Sendable {
    /// The largest content of a frame that is decoded as a whole, in bytes.
    package static let mostHeld = Int(FrameCutter.slotSize)

    package let source: Source
    package let index: FrameIndex
    package let decompression: Decompression
    /// Frames that are decoded at a time.
    package let threads: Int
    private let cache: FrameCache
    private let decoders: IdlePool<DecompressTransform>
    private let listed: ListedContents?
    /// Unfinished decodings of large frames, at most as many as there are threads.
    private let idleCursors = Mutex<[Locked<FrameCursor>]>([])

    /// Finds the frames.
    ///
    /// - Parameters:
    ///   - indexFile: keeps an index if only decoding the whole file can find its frames.
    ///   - cacheSize: bytes of decoded frames to keep; the last frame is kept in any case.
    ///   - latch: ends the decoding of the whole file from elsewhere.
    /// - Throws: `notSeekable` if the source can only be read in order; what decoding throws, if it is needed;
    ///   `wrongIndex`, `notAnIndex` and `file` for the index.
    package init(
        of source: Source, by decompression: Decompression, indexFile: IndexFile?, threads: Int, cacheSize: Int,
        latch: FailureLatch
    ) throws(Failure) {
        let search = FrameSearch(
            source: source, verifiesChecksums: decompression.limits.verifiesChecksums, indexFile: indexFile)
        index =
            if let found = try search.index(reaching: nil) { found.index } else {
                try Self.scanContent(source, decompression, indexFile, threads: threads, latch)
            }
        (self.source, self.decompression, self.threads) = (source, decompression, threads)
        listed = ListedContents(source)
        cache = FrameCache(size: cacheSize)
        decoders = IdlePool(keeping: threads)
    }

    /// Decodes a range of the content, on the calling thread and, for several frames, on others.
    ///
    /// - Parameter memory: has as many bytes as the range.
    /// - Throws: `corrupt` for damage, or for a wrong index; `dictionary` and `windowTooLarge` for what a frame needs;
    ///   `reading`, `sourceShrank`, `outOfMemory`.
    package func read(_ range: Range<Int>, into memory: UnsafeMutableRawBufferPointer) throws(Failure) {
        let (offset, end) = (UInt64(range.lowerBound), UInt64(range.upperBound))
        guard end > offset, var position = index.position(ofContent: offset),
            let last = index.position(ofContent: end - 1)
        else {
            return
        }
        while position <= last {
            for frame in try frames(position...position + min(threads - 1, last - position)) {
                let content = index[position].content
                let wanted = max(offset, content.lowerBound)..<min(end, content.upperBound)
                let part = memory.extracting(Int(wanted.lowerBound - offset)..<Int(wanted.upperBound - offset))
                if let frame {
                    let first = Int(wanted.lowerBound - content.lowerBound)
                    frame.slice(first..<first + part.count).copy(to: part)
                } else {
                    try read(wanted, ofLargeFrame: position, part)
                }
                position += 1
            }
        }
    }

    /// Decodes the whole file once, to see where its frames are.
    private static func scanContent(
        _ source: Source, _ decompression: Decompression, _ indexFile: IndexFile?, threads: Int, _ latch: FailureLatch
    ) throws(Failure) -> FrameIndex {
        let collector = IndexCollector()
        let job = Job(
            FrameScan(decompression: decompression, collector: collector), threads: threads)
        _ = try job.run(from: try source.readInPlace(through: source.descriptor), to: nil, latch: latch)
        return try collector.index(of: source, keptIn: indexFile)
    }

    /// The content of entries, decoded in parallel; nil for one that is too large to be held.
    private func frames(_ positions: ClosedRange<Int>) throws(Failure) -> [Bytes?] {
        if positions.count == 1 { return [try frame(positions.lowerBound)] }
        return try runLanes(positions.count, over: positions.count) { [self] place, _ throws(Failure) in
            try frame(positions.lowerBound + place)
        }
    }

    private func frame(_ position: Int) throws(Failure) -> Bytes? {
        let entry = index[position]
        if entry.content.isEmpty { return Bytes() }
        // Compressed data is hardly longer than its content, except in a hostile file.
        guard max(entry.content.count, entry.input.count) <= Self.mostHeld else { return nil }
        return try cache.frame(position) { () throws(Failure) in
            try decoders.withValue { () throws(Failure) in
                try DecompressTransform(
                    limits: decompression.limits, dictionary: decompression.dictionary, listed: listed)
            } _: { decoder throws(Failure) in
                try decoder.content(of: position, in: index, of: source, decompression.ownLimits)
            }
        }
    }

    private func read(
        _ wanted: Range<UInt64>, ofLargeFrame position: Int, _ memory: UnsafeMutableRawBufferPointer
    ) throws(Failure) {
        let idle = idleCursors.withLock { cursors in
            let distances = cursors.indices.compactMap { place in
                cursors[place].withLock { $0.distance(to: wanted.lowerBound, in: position) }.map { (place, $0) }
            }
            let nearest = distances.min { $0.1 < $1.1 }.map { cursors.remove(at: $0.0) }
            // A new cursor may need the memory of large windows.
            if nearest == nil { cursors.removeAll { $0.withLock { $0.hasLargeWindow } } }
            return nearest
        }
        let cursor =
            if let idle { idle } else { Locked(try FrameCursor(position, in: index, source, decompression)) }
        let room = LentMemory(memory)
        try cursor.withLock { cursor throws(Failure) in try cursor.read(wanted, into: room.writable) }
        idleCursors.withLock { cursors in
            cursors.append(cursor)
            if cursors.count > threads { cursors.removeFirst() }
        }
    }
}
