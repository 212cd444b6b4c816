internal import Parity

/// What a look at the frames of a file, or at its end, tells about its parity.
extension CheckedParity {
    /// Whether frames of a file are parity. Those in the content of others are not looked at.
    ///
    /// - Parameter frames: all of them; empty if they have to be walked over.
    static func isIn(_ source: Source, _ frames: SeekTable, _ limits: DecodingLimits) throws(Failure) -> Bool {
        guard source.isRandomAccess, let size = source.size else { return false }
        let file = DamagedFile(source, size: size, latch: FailureLatch())
        if frames.entries.isEmpty {
            return try !FrameChain(of: file, limits, ignoresZeros: source.ignoresZeros).descriptions.isEmpty
        }
        var offset: UInt64 = 0
        for frame in frames.entries {
            if frame.decompressedSize == 0 {
                let isParity = try FileBlocks(file: file).isDescription(at: offset, frame.compressedSize)
                if isParity { return true }
            }
            offset += UInt64(frame.compressedSize)
        }
        return false
    }

    /// The memory in bytes that parity right at the end of a file takes; 0 if there is none there. Other streams, and
    /// what is found behind a damaged end, may take more: that is known only when the file is read.
    static func memory(of source: Source) throws(Failure) -> Int {
        guard source.isRandomAccess, let size = source.size else { return 0 }
        let blocks = FileBlocks(file: DamagedFile(source, size: size, latch: FailureLatch()))
        var search = StreamSearch(blocks, depth: 0)
        guard let found = try search.last(endingAt: size) else { return 0 }
        return Region(blocks, found, SearchBudget(for: size)).memory
    }

    /// The most memory that parity may take, in bytes: what a limit leaves for it, or half of what is available.
    static func mostMemory(_ allowed: Int?) -> Int {
        allowed ?? AvailableMemory.now().map { Int(clamping: $0.bytes / 2) } ?? .max
    }

    /// The bytes of parity in the streams at the end of a file.
    static func size(in source: Source) throws(Failure) -> UInt64 {
        guard source.isRandomAccess, let size = source.size else { return 0 }
        let blocks = FileBlocks(file: DamagedFile(source, size: size, latch: FailureLatch()))
        var (search, count, end) = (StreamSearch(blocks, depth: 0), UInt64(0), size)
        while end > 0, let next = try search.last(endingAt: end),
            next.start >= 0, UInt64(next.start) + next.description.size == end
        {
            count += next.description.paritySize
            end = UInt64(next.start)
        }
        return count
    }
}
