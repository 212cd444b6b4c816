/// The header of a Zstandard frame (RFC 8878, 3.1.1.1).
package struct FrameHeader: Equatable, Sendable {
    /// The size of the header with the magic number, in bytes: 6 to 18.
    package let size: Int
    /// The number of bytes of history needed for decoding.
    package let windowSize: UInt64
    /// The content size in bytes, as claimed by the header; nil if it claims none.
    package var contentSize: UInt64?
    /// The identifier of the required dictionary (RFC 8878, 3.1.1.1.3); 0 if the header names none.
    package let dictionaryIdentifier: UInt32
    package let hasChecksum: Bool

    /// Block_Maximum_Size (RFC 8878, 3.1.1.2.4): the most bytes that one block decompresses to.
    package var blockLimit: Int { Int(min(windowSize, UInt64(FrameFormat.maximumBlockSize))) }

    /// Whether matches in `count` bytes of content could reach beyond the window, which decoding in one call does not
    /// detect.
    ///
    /// If the header gives a content size of up to 128 KiB, zstd's command decodes the frame in one call.
    func isNarrow(for count: UInt64) -> Bool {
        count > max(windowSize, contentSize == nil ? 0 : UInt64(FrameFormat.maximumBlockSize))
    }

    package static let mostBytes = 18
    /// The size of the magic number and the descriptor, which determines `size(descriptor:)`, in bytes.
    static let prefixSize = 5
    /// The flag for a checksum at the end of a frame (RFC 8878, 3.1.1.1.1): its byte in the frame, and its mask.
    private static let checksumFlag: (byte: Int, mask: UInt8) = (4, 0b100)
    private static let singleSegmentFlag: UInt8 = 0b10_0000
    /// The place of the window in a header that has one.
    private static let windowByte = prefixSize

    /// Adds a content checksum to a frame without one, in memory with room for it.
    ///
    /// - Returns: the size of the frame with the checksum.
    package static func addChecksum(_ checksum: UInt32, to frame: UnsafeMutableRawBufferPointer, count: Int) -> Int {
        frame[checksumFlag.byte] |= checksumFlag.mask
        frame.storeBytes(of: checksum.littleEndian, toByteOffset: count, as: UInt32.self)
        return count + FrameFormat.checksumSize
    }

    /// Makes the window of a frame at least as large as its content, if every decoder accepts such a window. Decoders
    /// then need no copy of the content, since no match can reach beyond its window (docs/decisions/frame-ends.md).
    ///
    /// - Parameters:
    ///   - frame: the start of a frame whose matches need no larger window; at least `windowByte` and one more.
    ///   - contentSize: its content size in bytes.
    static func widenWindow(of frame: UnsafeMutableRawBufferPointer, toHold contentSize: UInt64) {
        // A single-segment frame has no such byte; its window is its content.
        guard frame.count > windowByte, frame[4] & singleSegmentFlag == 0,
            contentSize <= FrameFormat.widestPortableWindow
        else { return }
        frame[windowByte] = max(frame[windowByte], windowDescriptor(contentSize))
    }

    /// The size in bytes of a header with this descriptor, magic number included; nil if the reserved bit is set.
    static func size(descriptor: UInt8) -> Int? {
        guard descriptor & 0b1000 == 0 else { return nil }
        let windowBytes = descriptor & singleSegmentFlag == 0 ? 1 : 0
        return prefixSize + windowBytes + dictionaryBytes(descriptor) + contentSizeBytes(descriptor)
    }

    /// Parses a complete header: `size(descriptor:)` bytes, starting at the magic number.
    init(_ bytes: RawSpan) {
        let descriptor = bytes[4]
        var offset = Self.prefixSize
        var window: UInt64?
        if descriptor & Self.singleSegmentFlag == 0 {
            // RFC 8878, 3.1.1.1.2: exponent and mantissa.
            let base = UInt64(1) << (10 + UInt64(bytes[offset] >> 3))
            window = base + base / 8 * UInt64(bytes[offset] & 7)
            offset += 1
        }
        let (identifier, content) = (Self.dictionaryBytes(descriptor), Self.contentSizeBytes(descriptor))
        dictionaryIdentifier = UInt32(Self.number(bytes.extracting(offset..<offset + identifier)))
        offset += identifier
        let number = Self.number(bytes.extracting(offset..<offset + content))
        // RFC 8878, 3.1.1.1.4: a field of two bytes is offset by 256.
        contentSize = content == 0 ? nil : number + (content == 2 ? 256 : 0)
        size = offset + content
        // In a single-segment frame, the window is the whole content.
        windowSize = window ?? contentSize ?? 0
        hasChecksum = descriptor & Self.checksumFlag.mask != 0
    }

    /// The header of the frame that begins here; nil if there is none, or it is incomplete.
    package init?(ofFrame bytes: RawSpan) {
        guard bytes.byteCount >= Self.prefixSize, bytes.littleEndian(at: 0, as: UInt32.self) == FrameFormat.magic,
            let size = Self.size(descriptor: bytes[4]), bytes.byteCount >= size
        else { return nil }
        self.init(bytes.extracting(..<size))
    }

    /// The little-endian number in up to eight bytes.
    private static func number(_ bytes: RawSpan) -> UInt64 {
        bytes.byteOffsets.reversed().reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
    }

    private static func dictionaryBytes(_ descriptor: UInt8) -> Int { [0, 1, 2, 4][Int(descriptor & 0b11)] }

    /// The bytes of a header that means the same.
    package var bytes: [UInt8] { bytes(window: windowSize == contentSize ? nil : windowSize, contentSize: contentSize) }

    /// The bytes of a header with the same dictionary identifier and checksum flag, but without a content size.
    ///
    /// - Parameter window: in bytes. The size of a single-segment frame may not be encodable as a window: it is rounded
    ///   up to the next size that is.
    package func withoutSizes(window: UInt64) -> [UInt8] { bytes(window: window, contentSize: nil) }

    /// - Parameter window: nil for a single segment.
    private func bytes(window: UInt64?, contentSize: UInt64?) -> [UInt8] {
        let flags =
            (hasChecksum ? Self.checksumFlag.mask : 0) | (dictionaryIdentifier == 0 ? 0 : 0b11)
            | (contentSize == nil ? 0 : 0b1100_0000) | (window == nil ? Self.singleSegmentFlag : 0)
        var bytes: [UInt8] = []
        bytes.appendLittleEndian(FrameFormat.magic)
        bytes.append(flags)
        if let window { bytes.append(Self.windowDescriptor(window)) }
        if dictionaryIdentifier > 0 { bytes.appendLittleEndian(dictionaryIdentifier) }
        if let contentSize { bytes.appendLittleEndian(contentSize) }
        return bytes
    }

    /// The byte for the smallest window of at least `window` bytes (RFC 8878, 3.1.1.1.2: exponent and mantissa).
    private static func windowDescriptor(_ window: UInt64) -> UInt8 {
        let exponent = max(10, UInt64(63 - max(1, window).leadingZeroBitCount))
        let step = UInt64(1) << (exponent - 3)
        let steps = (max(window, 1 << exponent) - 1 << exponent + step - 1) / step
        // A single segment may claim more than any window holds: the largest is 15 << 38.
        return UInt8(clamping: (exponent - 10) << 3 + steps)
    }

    private static func contentSizeBytes(_ descriptor: UInt8) -> Int {
        let isSingleSegment = descriptor & singleSegmentFlag != 0
        return [isSingleSegment ? 1 : 0, 2, 4, 8][Int(descriptor >> 6)]
    }
}

/// The header of a block (RFC 8878, 3.1.1.2): one bit for the last block, two for the type, 21 for the size.
struct Block {
    let isLast: Bool
    /// The number of bytes after the header.
    let bodySize: Int
    /// The most bytes that it decompresses to.
    let bound: Int
    /// What is wrong with it; nil if nothing is.
    let flaw: String?

    /// - Parameters:
    ///   - header: the three bytes as a little-endian number.
    ///   - limit: the most bytes that a block of its frame decompresses to.
    init(header: Int, limit: Int) {
        let size = header >> 3
        isLast = header & 1 == 1
        let type = header >> 1 & 0b11
        // Type 0 is raw, 1 is one repeated byte (RLE), 2 is compressed.
        bodySize = type == 1 ? 1 : size
        bound = type == 2 ? limit : size
        flaw =
            if size > FrameFormat.maximumBlockSize {
                "a block is larger than 128 KiB"
            } else if type == 3 {
                "a block of a reserved type"
            } else if type == 2, size == 0 {
                // When streaming, libzstd treats it as an empty block; with the whole frame it rejects it.
                "a compressed block of no bytes"
            } else {
                nil
            }
    }

    /// How many bytes longer it is than what it can decompress to.
    var overhead: Int { max(0, FrameFormat.blockHeaderSize + bodySize - bound) }
}
