/// Decodes data in one foreign format, member after member, through the library that Debian's zstd uses too.
///
/// A member is what gzip calls so, a stream of xz or lzma, a frame of lz4: whatever may be followed by another one.
package struct ForeignDecoder: ~Copyable {
    /// What it decodes.
    package let format: ForeignFormat
    private var decoder: any MemberDecoder & ~Copyable
    /// The most that the library held, in bytes.
    package private(set) var memory = 0

    /// - Parameter memoryLimit: the most that data may ask for to be decoded, in bytes.
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

    /// Decodes a part of the member, and verifies what can be verified.
    ///
    /// - Parameters:
    ///   - part: on return, what was not taken yet.
    ///   - offset: where the member begins in the input, for errors.
    /// - Returns: the bytes written to `content`, and whether the member has ended, with its checksum. If it has not,
    ///   all of `part` was taken or `content` is full.
    package mutating func decode(
        _ part: inout UnsafeRawBufferPointer, into content: UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(ForeignFailure) -> (written: Int, hasEnded: Bool) {
        let (taken, written, hasEnded) = try decoder.decode(part, into: content, offset: offset)
        memory = max(memory, decoder.memory)
        // Whoever calls goes on until one of both is used up, which must not be for ever.
        guard hasEnded || taken == part.count || written == content.count || taken + written > 0 else {
            throw .corrupt(format, reason: "its decoder stands still", offset: offset)
        }
        part = UnsafeRawBufferPointer(rebasing: part.dropFirst(taken))
        return (written, hasEnded)
    }
}

/// What each library does in a way of its own.
protocol MemberDecoder: ~Copyable {
    /// Bytes that it holds. To be read it is accessed as if it changed: an existential that can't be copied can't be
    /// lent.
    var memory: Int { mutating get }
    mutating func begin() throws(ForeignFailure)
    mutating func decode(
        _ part: UnsafeRawBufferPointer, into content: UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(ForeignFailure) -> (taken: Int, written: Int, hasEnded: Bool)
}
