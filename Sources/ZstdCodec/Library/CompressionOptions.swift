internal import CZstd

/// How content becomes frames. The frames depend on these options and on the content only, unless the level adapts.
public struct CompressionOptions: Equatable, Sendable {
    /// 1 to 22, and below 0 for the fast levels.
    public var level: Int
    /// Decompressed bytes of each frame but the last; nil for the level's own.
    public var chosenFrameSize: Int?
    /// Binary logarithm of the window of long-distance matching; nil without it.
    public var longWindowLog: Int?
    /// Whether each frame ends in a checksum of its content.
    public var hasChecksum: Bool
    /// Whether each frame says how many bytes its content has, if that is known when it begins.
    public var hasContentSize = true
    /// Whether each frame says which dictionary it needs, if that has an identifier.
    public var hasDictionaryIdentifier = true
    /// Whether the content says where frames end, or blocks where there is one frame only (`ZSTD_c_rsyncable`), so that
    /// what was not changed becomes what it became before; a frame then has about half of the frame size, and all of it
    /// at most.
    public var cutsByContent = false
    /// The levels between which that of each frame, or of each part of a single one, follows how fast the ends of a run
    /// are; nil for one level.
    public var adaptiveLevels: ClosedRange<Int>?
    /// Bytes whose multiples frames do not straddle; nil if they may.
    package var alignment: Int?
    /// What is set besides the level. A window that is larger than a frame is cut to it.
    public var parameters: [CompressionParameter: Int] = [:]

    /// - Parameters:
    ///   - level: from -131072, the fastest, to 22, the smallest.
    ///   - frameSize: decompressed bytes of each frame but the last; nil for the level's own.
    ///   - longWindowLog: binary logarithm of the window of long-distance matching; nil without it.
    ///   - hasChecksum: whether frames end in checksums of their content.
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
        var size = ownFrameSize
        // Whatever the content is, a frame has to fit between two multiples.
        while let alignment, size > 1, Self.bound(size) + FrameAlignment.reserve > alignment { size /= 2 }
        return size
    }

    private var ownFrameSize: Int {
        if let chosenFrameSize { return min(max(1, chosenFrameSize), SeekTable.maximumFrameSize) }
        // What was begun at a slow level is done in about a second.
        if adaptiveLevels != nil { return 2 << 20 }
        return switch level {
        case ...2: 4 << 20
        case 3...4: 8 << 20
        case 5...8: 12 << 20
        case 9...17: 24 << 20
        case 18...19: 32 << 20
        default: 128 << 20
        }
    }

    /// Sets what is strongest, and slowest, as `--max` of zstd 1.5.7 does.
    ///
    /// - Parameter contentSize: bytes of the frame, if they are known. libzstd cuts to it all tables but that of
    ///   long-distance matches, which takes 8 GiB without.
    public mutating func maximize(contentSize: UInt64?) {
        level = Self.levels.upperBound
        let greatest: [CompressionParameter] = [
            .windowLog, .chainLog, .hashLog, .searchLog, .targetLength, .strategy, .overlapLog, .ldmHashLog,
            .ldmBucketSizeLog,
        ]
        for parameter in greatest { parameters[parameter] = parameter.bounds?.upperBound }
        parameters[.minMatch] = CompressionParameter.minMatch.bounds?.lowerBound
        parameters[.ldmMinMatch] = 16
        longWindowLog = parameters[.windowLog]
        if let contentSize, let hashLog = CompressionParameter.ldmHashLog.bounds {
            parameters[.ldmHashLog] = max(hashLog.lowerBound, min(hashLog.upperBound, contentSize.ceilingLog2))
        }
    }

    /// Bytes that a reference and its content may have: those of the largest window.
    public static var referenceLimit: UInt64 { 1 << UInt64(CompressionParameter.windowLog.bounds?.upperBound ?? 30) }

    /// Lets a frame reach all of a reference, as `zstd --patch-from` does: with a window for its content, and long
    /// matches.
    ///
    /// - Parameters:
    ///   - referenceSize: bytes.
    ///   - contentSize: bytes of the frame, if they are known; if not, it is taken to be about as long as the
    ///     reference.
    /// - Throws: `tooLargeForReference`, for a window has 2 GiB at most.
    public mutating func reach(referenceSize: UInt64, contentSize: UInt64?) throws(CodecFailure) {
        guard let bounds = CompressionParameter.windowLog.bounds else { return }
        let largest = max(referenceSize, contentSize ?? 0)
        guard largest <= Self.referenceLimit else {
            throw .tooLargeForReference(bytes: largest, limit: Self.referenceLimit)
        }
        parameters[.windowLog] = nil
        let windowLog = contentSize?.ceilingLog2 ?? referenceSize.ceilingLog2 + 1
        longWindowLog = min(max(windowLog, bounds.lowerBound), bounds.upperBound)
    }

    /// The number for `--long` that a window of so many bytes needs; nil if no decoder takes it.
    public static func windowLog(for bytes: UInt64) -> Int? {
        guard let bounds = CompressionParameter.windowLog.bounds, bytes <= 1 << UInt64(bounds.upperBound) else {
            return nil
        }
        return max(bounds.lowerBound, bytes.ceilingLog2)
    }

    /// Checks every number against what libzstd takes, so that nothing has to be begun to find out.
    ///
    /// - Throws: `parameter`.
    public func check() throws(CodecFailure) {
        guard Self.levels.contains(level) else {
            throw .parameter(name: "level", value: level, bounds: Self.levels)
        }
        if let bounds = adaptiveLevels {
            guard Self.levels.contains(bounds.lowerBound), Self.levels.contains(bounds.upperBound) else {
                throw .parameter(name: "level", value: bounds.upperBound, bounds: Self.levels)
            }
        }
        if let longWindowLog { try CompressionParameter.windowLog.check(longWindowLog) }
        for (parameter, value) in parameters { try parameter.check(value) }
    }

    /// The most bytes that a frame of `size` decompressed bytes takes (`ZSTD_compressBound`).
    public static func bound(_ size: Int) -> Int { ZSTD_compressBound(size) }
}
