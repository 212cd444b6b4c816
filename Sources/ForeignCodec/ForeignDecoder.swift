/// Decodes data in one foreign format, member by member, with the library that Debian's zstd uses too.
///
/// A member is a member of gzip, a stream of xz or lzma, or a frame of lz4; several may follow each other.
package struct ForeignDecoder: ~Copyable {
    package let format: ForeignFormat
    private var decoder: any MemberDecoder & ~Copyable
    /// The most bytes that the library has held.
    package private(set) var memory = 0

    /// - Parameter memoryLimit: the most bytes that decoding may need.
    /// - Throws: `notRead`, `outOfMemory`.
    package init(_ format: ForeignFormat, memoryLimit: UInt64) throws(ForeignFailure) {
        self.format = format
        switch format {
        case .gzip: decoder = try GzipDecoder()
        case .xz: decoder = LzmaDecoder(.xz, memoryLimit: memoryLimit)
        case .lzma: decoder = LzmaDecoder(.lzma, memoryLimit: memoryLimit)
        case .lz4: decoder = try Lz4Decoder()
        default: throw .notRead(format)
        }
    }

    /// Begins a member.
    ///
    /// - Throws: `outOfMemory`.
    package mutating func begin() throws(ForeignFailure) { try decoder.begin() }

    /// Decodes a segment of the member, and verifies checksums and sizes.
    ///
    /// - Parameters:
    ///   - segment: on return, the bytes that were not taken yet.
    ///   - offset: where the member begins in the input, for errors.
    /// - Returns: the bytes written to `content`, and whether the member has ended, with its checksum. If it has not,
    ///   all of `segment` was taken or `content` is full.
    package mutating func decode(
        _ segment: inout UnsafeRawBufferPointer, into content: UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(ForeignFailure) -> (written: Int, hasEnded: Bool) {
        let (taken, written, hasEnded) = try decoder.decode(segment, into: content, offset: offset)
        memory = max(memory, decoder.memory)
        // The caller goes on until one of both is used up, which must not take for ever.
        guard hasEnded || taken == segment.count || written == content.count || taken + written > 0 else {
            throw .corrupt(format, reason: "its decoder stands still", offset: offset)
        }
        segment = UnsafeRawBufferPointer(rebasing: segment.dropFirst(taken))
        return (written, hasEnded)
    }
}

/// A decoder of one library.
protocol MemberDecoder: ~Copyable {
    /// Bytes that it holds. The getter is mutating because a noncopyable existential can't be borrowed.
    var memory: Int { mutating get }
    mutating func begin() throws(ForeignFailure)
    mutating func decode(
        _ segment: UnsafeRawBufferPointer, into content: UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(ForeignFailure) -> (taken: Int, written: Int, hasEnded: Bool)
}
