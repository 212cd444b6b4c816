/// Decodes data in one foreign format, member by member, with the library that Debian's zstd uses too.
///
/// A member is a member of gzip, a stream of xz or lzma, or a frame of lz4; several may follow each other.
package protocol ForeignDecoder: AnyObject {
    /// Bytes that the library holds.
    var memory: Int { get }
    /// Whether the input may end here, although the member does not: between blocks, if only blocks were promised.
    var mayEnd: Bool { get }

    /// Begins a member.
    ///
    /// - Parameter place: where to go on within a stream of xz, if that is the format; nil for the member's start.
    /// - Throws: `outOfMemory`.
    func begin(at place: XzPlace?) throws(ForeignFailure)

    /// Decodes a segment of the member, and verifies checksums and sizes.
    ///
    /// - Parameters:
    ///   - segment: on return, the bytes that were not taken yet.
    ///   - room: on return, and where it throws, what the content has left of it.
    ///   - offset: where the member begins in the input, for errors.
    /// - Returns: whether the member has ended, with its checksum.
    func decode(
        _ segment: inout UnsafeRawBufferPointer, into room: inout UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(ForeignFailure) -> Bool
}

extension ForeignDecoder {
    var mayEnd: Bool { false }
}

extension ForeignFormat {
    /// - Parameter memoryLimit: the most bytes that decoding may need.
    /// - Throws: `notRead`, `outOfMemory`.
    package func makeDecoder(memoryLimit: UInt64) throws(ForeignFailure) -> any ForeignDecoder {
        switch self {
        case .gzip: try GzipDecoder()
        case .xz: XzDecoder(memoryLimit: memoryLimit)
        case .lzma: LzmaDecoder(memoryLimit: memoryLimit)
        case .lz4: try Lz4Decoder()
        default: throw .notRead(self)
        }
    }
}

extension UnsafeRawBufferPointer {
    mutating func drop(_ count: Int) { self = Self(rebasing: dropFirst(count)) }
}

extension UnsafeMutableRawBufferPointer {
    mutating func drop(_ count: Int) { self = Self(rebasing: dropFirst(count)) }
}
