/// Makes the checksums of frames in place of libzstd, and those of the content up to checkpoints: what precedes one in
/// a frame is proved without decoding the rest (docs/format.md, "Index of members").
package struct Checkpoints: ~Copyable, Sendable {
    /// Bytes from one to the next; the first one lies as far behind the start of all content.
    package static let distance: UInt64 = 256 << 10

    private var checksum: ContentChecksum

    /// - Throws: `outOfMemory`.
    package init() throws(CodecFailure) { checksum = try ContentChecksum() }

    /// - Parameters:
    ///   - content: that of a frame.
    ///   - start: where it begins in all content.
    /// - Returns: the checksum of what precedes each checkpoint that lies behind a byte of it, and of all.
    package mutating func checksums(
        of content: UnsafeRawBufferPointer, from start: UInt64
    ) -> (atCheckpoints: [UInt32], whole: UInt32) {
        checksum.reset()
        var (checkpoints, rest): ([UInt32], UnsafeRawBufferPointer) = ([], content)
        var next = Self.distance - start % Self.distance
        while UInt64(rest.count) >= next {
            checksum.append(UnsafeRawBufferPointer(rebasing: rest[..<Int(next)]))
            checkpoints.append(checksum.value)
            rest = UnsafeRawBufferPointer(rebasing: rest[Int(next)...])
            next = Self.distance
        }
        checksum.append(rest)
        return (checkpoints, checksum.value)
    }
}
