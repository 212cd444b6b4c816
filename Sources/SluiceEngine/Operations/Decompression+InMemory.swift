extension Decompression {
    /// The most bytes that frames decompress to; the exact number if each frame gives the size of its content.
    ///
    /// - Parameter frames: whole frames, from the first on.
    /// - Throws: as `decompress` does, except for damage within frames, which are not examined.
    public func bound(of frames: RawSpan) throws(Failure) -> Int { try extent(of: frames).count }

    /// Decompresses whole frames in memory, on the calling thread (`ZSTD_decompressDCtx`). Nothing is copied.
    ///
    /// Contexts are kept for the next call, and shared by all copies of this value, which may be used by any number of
    /// threads at once. They are freed with the last copy.
    ///
    /// - Parameters:
    ///   - frames: Zstandard frames, and no other format.
    ///   - content: the content is appended; `bound(of:)` bytes of free capacity suffice in any case.
    /// - Throws: `tooLarge` if the capacity does not suffice; `truncated`, `corrupt`, `unsupportedFormat`,
    ///   `dictionary`, `windowTooLarge`, `outOfMemory`.
    public func decompress(_ frames: RawSpan, into content: inout OutputRawSpan) throws(Failure) {
        try content.append { room throws(Failure) in try decompress(frames, into: room) }
    }

    /// Decompresses whole frames in memory, into memory that has a type, such as that of a new array.
    ///
    /// - Parameters:
    ///   - frames: Zstandard frames, and no other format.
    ///   - content: the content is appended; `bound(of:)` bytes of free capacity suffice in any case.
    /// - Throws: as with an `OutputRawSpan`.
    public func decompress(_ frames: RawSpan, into content: inout OutputSpan<UInt8>) throws(Failure) {
        try content.append { room throws(Failure) in try decompress(frames, into: room) }
    }

    /// Decompresses whole frames in memory, to a new array.
    ///
    /// - Parameters:
    ///   - frames: Zstandard frames, and no other format.
    ///   - limit: the most bytes of content: a few bytes of untrusted frames may claim gigabytes.
    /// - Throws: `tooLarge` for more content than the limit; otherwise as with an `OutputRawSpan`.
    public func decompress(_ frames: RawSpan, limit: Int) throws(Failure) -> [UInt8] {
        let capacity = min(max(0, limit), try bound(of: frames))
        return try [UInt8](capacity: capacity) { content throws(Failure) in
            try decompress(frames, into: &content)
        }
    }

    private func decompress(_ frames: RawSpan, into room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let bound = try extent(of: frames)
        let frames = frames.extracting(..<bound.end)
        if bound.count > room.count, bound.isExact { throw .noRoom(room.count) }
        let (room, hasRoom) = (LentMemory(room), bound.count <= room.count)
        return try contexts.withValue { () throws(Failure) in
            try DecompressTransform(limits: limits, dictionary: dictionary)
        } _: { transform throws(Failure) in
            do throws(Failure) {
                return try transform.decompress(frames, into: room.writable)
            } catch {
                // libzstd reports too small a buffer as a failed frame.
                throw !hasRoom && error.code == .corrupt ? .noRoom(room.writable.count) : error
            }
        }
    }

    /// Checks frames against the limits of a run, and counts what they hold at most.
    ///
    /// - Returns: also where they end, if zeros follow.
    private func extent(of frames: RawSpan) throws(Failure) -> (count: Int, isExact: Bool, end: Int) {
        do throws(Failure) { return try extent(of: frames, limits) } catch {
            // Only large windows are worth a look at the available memory.
            guard error.code == .windowTooLarge else { throw error }
            return try extent(of: frames, ownLimits)
        }
    }

    private func extent(
        of frames: RawSpan, _ limits: DecodingLimits
    ) throws(Failure) -> (count: Int, isExact: Bool, end: Int) {
        var (count, isExact) = (UInt64(0), true)
        let end = try codec(
            limits.check(frames) { frame in
                if frame.isSkippable { return }
                count = count.addingClamped(frame.decompressedBound)
                isExact = isExact && frame.header?.contentSize != nil
            })
        return (Int(clamping: count), isExact, end)
    }
}
