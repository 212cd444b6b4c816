internal import CZstd

/// How content becomes frames. The frames depend on these options and on the content only.
public struct CompressionOptions: Equatable, Sendable {
    /// 1 to 22, and below 0 for the fast levels.
    public var level: Int
    /// Decompressed bytes of each frame but the last; nil for the level's own.
    public var chosenFrameSize: Int?
    /// Binary logarithm of the window of long-distance matching; nil without it.
    public var longWindowLog: Int?
    /// Whether each frame ends in a checksum of its content.
    public var hasChecksum: Bool

    public init(level: Int = 3, frameSize: Int? = nil, longWindowLog: Int? = nil, hasChecksum: Bool = true) {
        self.level = level
        chosenFrameSize = frameSize
        self.longWindowLog = longWindowLog
        self.hasChecksum = hasChecksum
    }

    /// The levels of libzstd, `ZSTD_minCLevel` to `ZSTD_maxCLevel`.
    public static var levels: ClosedRange<Int> { Int(ZSTD_minCLevel())...Int(ZSTD_maxCLevel()) }

    /// Sizes in bytes that a frame may be given.
    public static let frameSizes = 1 << 10...SeekTable.maximumFrameSize

    /// Decompressed bytes of each frame but the last.
    ///
    /// Four windows of the level or more: half a percent larger than what `zstd -T` writes, or less, from level 1 to 9
    /// (docs/decisions/frame-sizes.md).
    public var frameSize: Int {
        if let chosenFrameSize { return min(max(1, chosenFrameSize), SeekTable.maximumFrameSize) }
        return switch level {
        case ...2: 4 << 20
        case 3...4: 8 << 20
        case 5...8: 12 << 20
        case 9...17: 24 << 20
        case 18...19: 32 << 20
        default: 128 << 20
        }
    }

    /// The most bytes that a frame of `size` decompressed bytes takes (`ZSTD_compressBound`).
    public static func bound(_ size: Int) -> Int { ZSTD_compressBound(size) }
}
