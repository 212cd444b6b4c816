/// Decodes data in one foreign format, member by member, with the same library as Debian's zstd.
///
/// A member is a gzip member, an xz or lzma stream, or an lz4 frame. Several members may follow each other.
package protocol ForeignDecoder: AnyObject {
    /// The memory that the library holds, in bytes.
    var memory: Int { get }
    /// Whether the input may end here within a member: between blocks, if the decoder was given only blocks.
    var mayEnd: Bool { get }

    /// Begins a member.
    ///
    /// - Parameter place: where to continue within an xz stream, if that is the format; nil for the start of a member.
    /// - Throws: `outOfMemory`.
    func begin(at place: XzPlace?) throws(ForeignFailure)

    /// Decodes a segment of the member, and verifies checksums and sizes.
    ///
    /// - Parameters:
    ///   - segment: on return, the bytes not consumed yet.
    ///   - room: on return, and also after an error, the part not filled with content.
    ///   - offset: the start of the member in the input, for errors.
    /// - Returns: whether the member has ended, including its checksum.
    func decode(
        _ segment: inout RawSpan, into room: inout UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(ForeignFailure) -> Bool

    /// Decodes what was kept back of the member, once the input has ended within it.
    ///
    /// - Returns: whether the member has ended after all.
    func drain(into room: inout UnsafeMutableRawBufferPointer, offset: UInt64) throws(ForeignFailure) -> Bool
}

extension ForeignDecoder {
    var mayEnd: Bool { false }
    func drain(into _: inout UnsafeMutableRawBufferPointer, offset _: UInt64) -> Bool { false }
}

extension ForeignFormat {
    /// - Parameter memoryLimit: the most memory that decoding may need, in bytes.
    /// - Throws: `notRead`, `outOfMemory`.
    package func makeDecoder(memoryLimit: UInt64) throws(ForeignFailure) -> any ForeignDecoder {
        switch self {
        case .gzip: try (IsalLibrary.isUsable ? GzipLibrary.isal : .zlib).makeDecoder()
        case .xz: XzDecoder(memoryLimit: memoryLimit)
        case .lzma: LzmaDecoder(memoryLimit: memoryLimit)
        case .lz4: try Lz4Decoder()
        default: throw .notRead(self)
        }
    }
}

extension RawSpan {
    mutating func drop(_ count: Int) { self = extracting(droppingFirst: count) }
}

extension UnsafeMutableRawBufferPointer {
    mutating func drop(_ count: Int) { self = Self(rebasing: dropFirst(count)) }
}
