/// The header of a Zstandard frame (RFC 8878, 3.1.1.1).
package struct FrameHeader: Equatable, Sendable {
    /// Bytes of the header, with the magic number: 6 to 18.
    package let size: Int
    /// Bytes of history that decoding needs.
    package let windowSize: UInt64
    /// Decompressed bytes of the frame, if the header tells. The number is the file's claim.
    package let contentSize: UInt64?
    /// The number of the dictionary that is needed (RFC 8878, 3.1.1.1.3); 0 if it is not said.
    package let dictionaryIdentifier: UInt32
    /// Whether the frame ends in a checksum of its content.
    package let hasChecksum: Bool

    /// Block_Maximum_Size (RFC 8878, 3.1.1.2.4): the most that one block decompresses to, in bytes.
    var blockLimit: Int { Int(min(windowSize, UInt64(FrameFormat.maximumBlockSize))) }

    /// Whether matches in so many bytes of content might reach beyond the window, which decoding in one go does not
    /// notice.
    ///
    /// zstd's command decodes content of up to 128 KiB in one go if the header tells its size.
    func isNarrow(for count: UInt64) -> Bool {
        count > max(windowSize, contentSize == nil ? 0 : UInt64(FrameFormat.maximumBlockSize))
    }

    /// Bytes of the longest header.
    package static let mostBytes = 18
    /// Bytes that `size(descriptor:)` has to see: the magic number and the descriptor.
    static let prefixSize = 5

    /// The size in bytes of a header with this descriptor, magic number included; nil if the reserved bit is set.
    static func size(descriptor: UInt8) -> Int? {
        guard descriptor & 0b1000 == 0 else { return nil }
        let windowBytes = descriptor & 0b10_0000 == 0 ? 1 : 0
        return prefixSize + windowBytes + dictionaryBytes(descriptor) + contentSizeBytes(descriptor)
    }

    /// Parses a whole header.
    ///
    /// - Parameter bytes: exactly `size(descriptor:)` bytes, from the magic number on.
    init(_ bytes: UnsafeRawBufferPointer) {
        let descriptor = bytes[4]
        var offset = Self.prefixSize
        var window: UInt64?
        if descriptor & 0b10_0000 == 0 {
            // RFC 8878, 3.1.1.1.2: exponent and mantissa.
            let base = UInt64(1) << (10 + UInt64(bytes[offset] >> 3))
            window = base + base / 8 * UInt64(bytes[offset] & 7)
            offset += 1
        }
        dictionaryIdentifier =
            switch Self.dictionaryBytes(descriptor) {
            case 1: UInt32(bytes[offset])
            case 2: UInt32(bytes.littleEndian(at: offset, as: UInt16.self))
            case 4: bytes.littleEndian(at: offset, as: UInt32.self)
            default: 0
            }
        offset += Self.dictionaryBytes(descriptor)
        contentSize =
            switch Self.contentSizeBytes(descriptor) {
            case 1: UInt64(bytes[offset])
            case 2: UInt64(bytes.littleEndian(at: offset, as: UInt16.self)) + 256
            case 4: UInt64(bytes.littleEndian(at: offset, as: UInt32.self))
            case 8: bytes.littleEndian(at: offset, as: UInt64.self)
            default: nil
            }
        size = offset + Self.contentSizeBytes(descriptor)
        // A single segment keeps its whole content as the window.
        windowSize = window ?? contentSize ?? 0
        hasChecksum = descriptor & 0b100 != 0
    }

    /// The header of the frame that begins here; nil if none does, or its header is cut.
    init?(ofFrame bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.prefixSize, bytes.littleEndian(at: 0, as: UInt32.self) == FrameFormat.magic,
            let size = Self.size(descriptor: bytes[4]), bytes.count >= size
        else { return nil }
        self.init(UnsafeRawBufferPointer(rebasing: bytes[..<size]))
    }

    /// Whether the first bytes of a frame are all of its header, or begin none.
    static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= prefixSize else { return false }
        let isFrame = bytes.littleEndian(at: 0, as: UInt32.self) == FrameFormat.magic
        return !isFrame || bytes.count >= size(descriptor: bytes[4]) ?? prefixSize
    }

    static func dictionaryBytes(_ descriptor: UInt8) -> Int { [0, 1, 2, 4][Int(descriptor & 0b11)] }

    private static func contentSizeBytes(_ descriptor: UInt8) -> Int {
        let isSingleSegment = descriptor & 0b10_0000 != 0
        return [isSingleSegment ? 1 : 0, 2, 4, 8][Int(descriptor >> 6)]
    }
}
