/// Decodes data in one foreign format, member by member, with the library that Debian's zstd uses too.
///
/// A member is a member of gzip, a stream of xz or lzma, or a frame of lz4; several may follow each other.
package struct ForeignDecoder: ~Copyable {
    package let format: ForeignFormat
    private let decoder: any MemberDecoder

    /// - Parameter memoryLimit: the most bytes that decoding may need.
    /// - Throws: `notRead`, `outOfMemory`.
    package init(_ format: ForeignFormat, memoryLimit: UInt64) throws(ForeignFailure) {
        self.format = format
        switch format {
        case .gzip: decoder = try GzipDecoder()
        case .xz: decoder = XzDecoder(memoryLimit: memoryLimit)
        case .lzma: decoder = LzmaDecoder(memoryLimit: memoryLimit)
        case .lz4: decoder = try Lz4Decoder()
        default: throw .notRead(format)
        }
    }

    /// Begins a member.
    ///
    /// - Parameter place: where to go on within a stream of xz, if that is the format; nil for the member's start.
    /// - Throws: `outOfMemory`.
    package mutating func begin(at place: XzPlace? = nil) throws(ForeignFailure) {
        precondition(place == nil || format == .xz, "only streams of xz have places to go on")
        try decoder.begin(at: place)
    }

    /// Bytes that the library holds.
    package var memory: Int { decoder.memory }

    /// Whether the input may end here, although the member does not: between blocks, if only blocks were promised.
    package var mayEnd: Bool { decoder.mayEnd }

    /// Decodes a segment of the member, and verifies checksums and sizes.
    ///
    /// - Parameters:
    ///   - segment: on return, the bytes that were not taken yet.
    ///   - room: on return, and where it throws, what the content has left of it.
    ///   - offset: where the member begins in the input, for errors.
    /// - Returns: whether the member has ended, with its checksum. If it has not, all of `segment` was taken or `room`
    ///   is full.
    package mutating func decode(
        _ segment: inout UnsafeRawBufferPointer, into room: inout UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(ForeignFailure) -> Bool {
        var rest = segment
        let free = room.count
        let hasEnded = try decoder.decode(&rest, into: &room, offset: offset)
        // The caller goes on until one of both is used up, which must not take for ever.
        guard hasEnded || rest.isEmpty || rest.count < segment.count || room.isEmpty || room.count < free
        else { throw .corrupt(format, reason: "its decoder makes no progress", offset: offset) }
        segment = rest
        return hasEnded
    }
}

/// A decoder of one library.
protocol MemberDecoder: AnyObject {
    /// Bytes that it holds.
    var memory: Int { get }
    /// - Parameter place: nil for the start of a member; else one of xz.
    func begin(at place: XzPlace?) throws(ForeignFailure)
    /// Whether the input may end although the member has not.
    var mayEnd: Bool { get }
    /// Takes bytes of the segment, and room for the content, also where it throws.
    ///
    /// - Returns: whether the member has ended.
    func decode(
        _ segment: inout UnsafeRawBufferPointer, into room: inout UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(ForeignFailure) -> Bool
}

extension MemberDecoder {
    var mayEnd: Bool { false }
}

extension UnsafeRawBufferPointer {
    mutating func drop(_ count: Int) { self = Self(rebasing: dropFirst(count)) }
}

extension UnsafeMutableRawBufferPointer {
    mutating func drop(_ count: Int) { self = Self(rebasing: dropFirst(count)) }
}
