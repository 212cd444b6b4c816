/// The skippable frame after the first frame of a stream. It announces that a seek table ends the stream.
///
/// Layout: `0x184D2A53 | 16 u32 | "SLUICE" | version u8 | flags u8 | frame size u32 | level i32`, little-endian.
/// Without this frame, a file truncated at the end of a frame would be a valid, shorter stream. Bit 0 of the flags
/// means that the stream may end without the table, because its input has no end and the writer may be killed.
package struct StreamHeader: Equatable, Sendable {
    static let magic: UInt32 = 0x184D_2A53
    static let contentSize = 16
    /// Distinguishes our skippable frames from those of others.
    package static let name = Array("SLUICE".utf8)
    private static let version: UInt8 = 1
    private static let mayEndAnywhereFlag: UInt8 = 1

    /// The content size of every frame except the last, in bytes.
    package let frameSize: UInt32
    package let level: Int32
    /// Whether the stream may end after any frame, without a table.
    package let mayEndAnywhere: Bool

    package init(frameSize: UInt32, level: Int32, mayEndAnywhere: Bool = false) {
        self.frameSize = frameSize
        self.level = level
        self.mayEndAnywhere = mayEndAnywhere
    }

    /// The size of the whole skippable frame in bytes.
    package static var encodedSize: Int { FrameFormat.skippableHeaderSize + contentSize }

    /// The whole skippable frame.
    package var encoded: [UInt8] {
        var bytes = [UInt8](skippable: Self.magic, size: Self.encodedSize)
        bytes += Self.name
        bytes += [Self.version, mayEndAnywhere ? Self.mayEndAnywhereFlag : 0]
        bytes.appendLittleEndian(frameSize)
        bytes.appendLittleEndian(level)
        return bytes
    }

    /// Parses a whole skippable frame; nil if it is not a stream header of this version.
    package init?(_ bytes: RawSpan) {
        guard bytes.byteCount == Self.encodedSize, bytes.isSkippableFrame(Self.magic),
            bytes.has(Self.name, at: 8), bytes[14] == Self.version
        else { return nil }
        frameSize = bytes.littleEndian(at: 16, as: UInt32.self)
        level = bytes.littleEndian(at: 20, as: Int32.self)
        mayEndAnywhere = bytes[15] & Self.mayEndAnywhereFlag != 0
    }
}

/// A skippable frame that may be the start of a stream header, followed by zeros: a file that was cut there, on a disk
/// or a tape that fills up its last block. Nothing but zeros follows it then.
struct CutHeader: Sendable {
    let failure: CodecFailure
    /// Whether the zeros begin after the size of the frame. Otherwise it may be an empty frame of somebody else's.
    let hasContent: Bool

    /// Nil if the bytes at the start of a skippable frame, of which a whole stream header is given, are not like that.
    init?(_ bytes: RawSpan, at offset: UInt64) {
        let start = FrameFormat.skippableHeaderSize
        guard bytes.byteCount >= start, bytes.littleEndian(at: 0, as: UInt32.self) == StreamHeader.magic else {
            return nil
        }
        let size = bytes.littleEndian(at: 4, as: UInt32.self)
        if size == StreamHeader.contentSize, bytes.byteCount == StreamHeader.encodedSize {
            let written = StreamHeader.name.indices.prefix { bytes[start + $0] == StreamHeader.name[$0] }.count
            guard written < StreamHeader.name.count, bytes.extracting((start + written)...).areZeros else { return nil }
        } else if size != 0 {
            return nil
        }
        hasContent = size > 0
        failure = .corrupt(reason: "the stream header is truncated, and zeros follow", offset: offset)
    }
}
