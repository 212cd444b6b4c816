/// The header of a Zstandard frame (RFC 8878, 3.1.1.1).
package struct FrameHeader: Equatable, Sendable {
    /// Bytes of the header, with the magic number: 6 to 18.
    package let size: Int
    /// Bytes of history that decoding needs.
    package let windowSize: UInt64
    /// Decompressed bytes of the frame: the file's claim, nil if it makes none.
    package let contentSize: UInt64?
    /// The dictionary that is needed (RFC 8878, 3.1.1.1.3); 0 if the header names none.
    package let dictionaryIdentifier: UInt32
    package let hasChecksum: Bool

    /// Block_Maximum_Size (RFC 8878, 3.1.1.2.4): the most that one block decompresses to, in bytes.
    package var blockLimit: Int { Int(min(windowSize, UInt64(FrameFormat.maximumBlockSize))) }

    /// Whether matches in `count` bytes of content might reach beyond the window, which decoding in one go misses.
    ///
    /// zstd's command decodes content of up to 128 KiB in one go if the header gives its size.
    func isNarrow(for count: UInt64) -> Bool {
        count > max(windowSize, contentSize == nil ? 0 : UInt64(FrameFormat.maximumBlockSize))
    }

    package static let mostBytes = 18
    /// Bytes of the magic number and the descriptor, from which `size(descriptor:)` follows.
    static let prefixSize = 5
    /// The bit that announces a checksum at the end of a frame (RFC 8878, 3.1.1.1.1): byte of the frame, and mask.
    private static let checksumFlag: (byte: Int, mask: UInt8) = (4, 0b100)

    /// Adds the checksum of its content to a frame that has none, and room for it.
    ///
    /// - Returns: the bytes of the frame with it.
    package static func addChecksum(_ checksum: UInt32, to frame: UnsafeMutableRawBufferPointer, count: Int) -> Int {
        frame[checksumFlag.byte] |= checksumFlag.mask
        frame.storeBytes(of: checksum.littleEndian, toByteOffset: count, as: UInt32.self)
        return count + FrameFormat.checksumSize
    }

    /// The size in bytes of a header with this descriptor, magic number included; nil if the reserved bit is set.
    static func size(descriptor: UInt8) -> Int? {
        guard descriptor & 0b1000 == 0 else { return nil }
        let windowBytes = descriptor & 0b10_0000 == 0 ? 1 : 0
        return prefixSize + windowBytes + dictionaryBytes(descriptor) + contentSizeBytes(descriptor)
    }

    /// Parses a whole header: `size(descriptor:)` bytes, from the magic number on.
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
        let (identifier, content) = (Self.dictionaryBytes(descriptor), Self.contentSizeBytes(descriptor))
        dictionaryIdentifier = UInt32(littleEndianBytes: bytes[offset..<offset + identifier])
        offset += identifier
        let number = UInt64(littleEndianBytes: bytes[offset..<offset + content])
        // RFC 8878, 3.1.1.1.4: two bytes begin at 256.
        contentSize = content == 0 ? nil : number + (content == 2 ? 256 : 0)
        size = offset + content
        // A single segment keeps its whole content as the window.
        windowSize = window ?? contentSize ?? 0
        hasChecksum = descriptor & Self.checksumFlag.mask != 0
    }

    /// The header of the frame that begins here; nil if there is none, or it is cut.
    package init?(ofFrame bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.prefixSize, bytes.littleEndian(at: 0, as: UInt32.self) == FrameFormat.magic,
            let size = Self.size(descriptor: bytes[4]), bytes.count >= size
        else { return nil }
        self.init(UnsafeRawBufferPointer(rebasing: bytes[..<size]))
    }

    private static func dictionaryBytes(_ descriptor: UInt8) -> Int { [0, 1, 2, 4][Int(descriptor & 0b11)] }

    /// The bytes of a header with the same dictionary and checksum, but without a content size.
    ///
    /// - Parameter window: bytes. That of a single segment may have no encoding of its own: it is rounded up to the
    ///   next one that has.
    package func withoutSizes(window: UInt64) -> [UInt8] {
        // RFC 8878, 3.1.1.1.2: exponent and mantissa.
        let exponent = max(10, UInt64(63 - max(1, window).leadingZeroBitCount))
        let step = UInt64(1) << (exponent - 3)
        let steps = (max(window, 1 << exponent) - 1 << exponent + step - 1) / step
        let flags = (hasChecksum ? Self.checksumFlag.mask : 0) | (dictionaryIdentifier == 0 ? 0 : 0b11)
        var bytes: [UInt8] = []
        bytes.appendLittleEndian(FrameFormat.magic)
        bytes += [flags, UInt8((exponent - 10) << 3 + steps)]
        if dictionaryIdentifier > 0 { bytes.appendLittleEndian(dictionaryIdentifier) }
        return bytes
    }

    private static func contentSizeBytes(_ descriptor: UInt8) -> Int {
        let isSingleSegment = descriptor & 0b10_0000 != 0
        return [isSingleSegment ? 1 : 0, 2, 4, 8][Int(descriptor >> 6)]
    }
}

/// The header of a block (RFC 8878, 3.1.1.2): a bit for the last block, two for the type, 21 for the size.
struct Block {
    static let headerSize = 3

    let isLast: Bool
    /// Bytes that follow the header.
    let bodySize: Int
    /// The most that it decompresses to, in bytes.
    let bound: Int
    /// What is wrong with it.
    let flaw: String?

    /// - Parameters:
    ///   - header: the three bytes, as a little-endian number.
    ///   - limit: the most that a block of its frame decompresses to, in bytes.
    init(header: Int, limit: Int) {
        let size = header >> 3
        isLast = header & 1 == 1
        let type = header >> 1 & 0b11
        // Raw, one byte that is repeated, or compressed.
        bodySize = type == 1 ? 1 : size
        bound = type == 2 ? limit : size
        flaw =
            if size > FrameFormat.maximumBlockSize {
                "a block is larger than 128 KiB"
            } else if type == 3 {
                "a block of a reserved type"
            } else if type == 2, size == 0 {
                // libzstd takes it for an empty block when streaming, and refuses it when it has the whole frame.
                "a compressed block of no bytes"
            } else {
                nil
            }
    }

    /// Bytes by which it is longer than what it can decompress to.
    var overhead: Int { max(0, Self.headerSize + bodySize - bound) }
}
