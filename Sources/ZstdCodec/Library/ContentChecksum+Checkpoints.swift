/// Checksums of a frame's content up to checkpoints: what precedes one in a frame is proved without decoding the rest
/// (docs/format.md, "Index of members").
extension ContentChecksum {
    /// Bytes from one checkpoint to the next; the first one lies as far behind the start of all content.
    package static let checkpointDistance: UInt64 = 256 << 10

    /// Begins anew, and makes the checksum of a frame in place of libzstd, with those on the way.
    ///
    /// - Parameters:
    ///   - content: that of the frame.
    ///   - start: where it begins in all content.
    /// - Returns: the checksum of what precedes each checkpoint that lies behind a byte of it, and of all.
    package mutating func checksums(
        of content: UnsafeRawBufferPointer, from start: UInt64
    ) -> (atCheckpoints: [UInt32], whole: UInt32) {
        reset()
        var (checkpoints, rest): ([UInt32], UnsafeRawBufferPointer) = ([], content)
        var next = Self.checkpointDistance - start % Self.checkpointDistance
        while UInt64(rest.count) >= next {
            append(UnsafeRawBufferPointer(rebasing: rest[..<Int(next)]))
            checkpoints.append(value)
            rest = UnsafeRawBufferPointer(rebasing: rest[Int(next)...])
            next = Self.checkpointDistance
        }
        append(rest)
        return (checkpoints, value)
    }
}
