/// The skippable frame after the first frame of a stream: it announces that a seek table ends the stream.
///
/// Layout: `0x184D2A53 | 16 u32 | "SLUICE" | version u8 | flags u8 | frame size u32 | level i32`, little-endian.
/// Without it, a file that was cut at the end of a frame would be a valid, shorter stream. Bit 0 of the flags says that
/// the stream may end anywhere: it has no end of its own, and whoever kills its writer takes the table away.
package struct StreamHeader: Equatable, Sendable {
    static let magic: UInt32 = 0x184D_2A53
    static let contentSize = 16
    static let name = Array("SLUICE".utf8)
    private static let version: UInt8 = 1
    private static let mayEndAnywhereFlag: UInt8 = 1

    /// Decompressed bytes of every frame but the last.
    package let frameSize: UInt32
    /// The level of compression.
    package let level: Int32
    /// Whether the stream is whole without the table, too, where a frame has ended.
    package let mayEndAnywhere: Bool

    /// - Parameters:
    ///   - frameSize: decompressed bytes of every frame but the last.
    ///   - level: that of compression.
    ///   - mayEndAnywhere: whether the stream is whole without the table, too, where a frame has ended.
    package init(frameSize: UInt32, level: Int32, mayEndAnywhere: Bool = false) {
        self.frameSize = frameSize
        self.level = level
        self.mayEndAnywhere = mayEndAnywhere
    }

    /// Bytes of the whole skippable frame.
    package static var encodedSize: Int { FrameFormat.skippableHeaderSize + contentSize }

    /// The whole skippable frame.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendLittleEndian(Self.magic)
        bytes.appendLittleEndian(UInt32(Self.contentSize))
        bytes += Self.name
        bytes += [Self.version, mayEndAnywhere ? Self.mayEndAnywhereFlag : 0]
        bytes.appendLittleEndian(frameSize)
        bytes.appendLittleEndian(level)
        return bytes
    }

    /// Parses a whole skippable frame; nil if it is not a stream header of this version.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.encodedSize,
            bytes.littleEndian(at: 0, as: UInt32.self) == Self.magic,
            bytes.littleEndian(at: 4, as: UInt32.self) == UInt32(Self.contentSize),
            bytes[8..<14].elementsEqual(Self.name), bytes[14] == Self.version
        else { return nil }
        frameSize = bytes.littleEndian(at: 16, as: UInt32.self)
        level = bytes.littleEndian(at: 20, as: Int32.self)
        mayEndAnywhere = bytes[15] & Self.mayEndAnywhereFlag != 0
    }
}
