internal import CZstd

/// How content is compressed to frames, which depend on these options and the content alone unless the level adapts.
public struct CompressionOptions: Equatable, Sendable {
    /// The level: 1 to 22, and below 0 for the fast levels (`ZSTD_c_compressionLevel`).
    public var level: Int
    /// Decompressed bytes of each frame but the last, within `frameSizes`; nil for the level's own (docs/format.md,
    /// "Output").
    public var frameSize: Int?
    /// Binary logarithm of the bytes of the window for long-distance matching
    /// (`ZSTD_c_enableLongDistanceMatching`); nil without it.
    public var longWindowLog: Int?
    /// Whether each frame ends in a checksum of its content (`ZSTD_c_checksumFlag`).
    public var hasChecksum: Bool
    /// Whether each frame gives the size of its content, if that is known when the frame begins
    /// (`ZSTD_c_contentSizeFlag`).
    public var hasContentSize = true
    /// Whether each frame names the dictionary that it needs, if that has an identifier (`ZSTD_c_dictIDFlag`).
    public var hasDictionaryIdentifier = true
    /// Whether the content determines where frames end, or blocks within a single frame (`ZSTD_c_rsyncable`), so that
    /// unchanged content is compressed to the same bytes as before; a frame then has about half the frame size on
    /// average.
    public var cutsByContent = false
    /// The levels between which the level adapts to the speed of input and output, from frame to frame or within a
    /// single one; nil for a fixed level.
    public var adaptiveLevels: ClosedRange<Int>?
    /// Bytes whose multiples frames don't straddle; nil if they may.
    package var alignment: Int?
    /// Parameters besides the level (`ZSTD_CCtx_setParameter`). Of a value that libzstd does not take, a run throws
    /// `invalidOption`. A window that is larger than a frame is reduced to it.
    public var parameters: [CompressionParameter: Int] = [:]

    /// Options with the defaults of `zstd`.
    ///
    /// - Parameters:
    ///   - level: from -131072, the fastest, to 22, the strongest.
    ///   - frameSize: decompressed bytes of each frame but the last; nil for the level's own.
    ///   - longWindowLog: binary logarithm of the window of long-distance matching; nil without it.
    ///   - hasChecksum: whether frames end in checksums of their content.
    public init(level: Int = 3, frameSize: Int? = nil, longWindowLog: Int? = nil, hasChecksum: Bool = true) {
        self.level = level
        self.frameSize = frameSize
        self.longWindowLog = longWindowLog
        self.hasChecksum = hasChecksum
    }

    /// The levels of libzstd, `ZSTD_minCLevel` to `ZSTD_maxCLevel`.
    public static var levels: ClosedRange<Int> { Int(ZSTD_minCLevel())...Int(ZSTD_maxCLevel()) }

    /// The frame sizes that may be chosen, in bytes.
    public static let frameSizes = 1 << 10...SeekTable.maximumFrameSize

    /// Decompressed bytes of each frame but the last, as it will be.
    ///
    /// Four windows of the level or more: half a percent larger than what `zstd -T` writes, or less, from level 1 to 9
    /// (docs/decisions/frame-sizes.md).
    package var effectiveFrameSize: Int {
        var size = ownFrameSize
        // A frame has to fit between two multiples whatever its content is.
        while let alignment, size > 1, Self.bound(size) + FrameAlignment.reserve > alignment { size /= 2 }
        return size
    }

    private var ownFrameSize: Int {
        if let frameSize { return min(max(1, frameSize), SeekTable.maximumFrameSize) }
        // A frame that begins at a slow level takes about a second.
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

    /// Sets the strongest and slowest parameters, as `--max` of zstd 1.5.7 does.
    ///
    /// - Parameter contentSize: bytes of the frame, if they are known. libzstd reduces all tables to it but that of
    ///   long-distance matches, which takes 8 GiB if the size is not known.
    package mutating func maximize(contentSize: UInt64?) {
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

    /// The most bytes that a reference and its content may have: those of the largest window.
    package static var referenceLimit: UInt64 { 1 << UInt64(CompressionParameter.windowLog.bounds?.upperBound ?? 30) }

    /// Lets a frame reach all of a reference, as `zstd --patch-from` does, by a window and long-distance matches.
    ///
    /// - Parameters:
    ///   - referenceSize: bytes.
    ///   - contentSize: bytes of the frame; nil for about as many as the reference has.
    /// - Throws: `tooLargeForReference`, since a window has 2 GiB at most.
    package mutating func reach(referenceSize: UInt64, contentSize: UInt64?) throws(CodecFailure) {
        guard let bounds = CompressionParameter.windowLog.bounds else { return }
        let largest = max(referenceSize, contentSize ?? 0)
        guard largest <= Self.referenceLimit else {
            throw .tooLargeForReference(bytes: largest, limit: Self.referenceLimit)
        }
        parameters[.windowLog] = nil
        let windowLog = contentSize?.ceilingLog2 ?? referenceSize.ceilingLog2 + 1
        longWindowLog = min(max(windowLog, bounds.lowerBound), bounds.upperBound)
    }

    /// The number for `--long` that a window of `bytes` needs; nil if no decoder accepts such a window.
    package static func windowLog(for bytes: UInt64) -> Int? {
        guard let bounds = CompressionParameter.windowLog.bounds, bytes <= 1 << UInt64(bounds.upperBound) else {
            return nil
        }
        return max(bounds.lowerBound, bytes.ceilingLog2)
    }

    /// Checks whether libzstd takes every number, without compressing anything.
    ///
    /// - Throws: `parameter`.
    package func check() throws(CodecFailure) {
        guard Self.levels.contains(level) else {
            throw .parameter(name: "level", value: level, bounds: Self.levels)
        }
        if let bounds = adaptiveLevels, !Self.levels.contains(bounds) {
            throw .parameter(name: "level", value: bounds.upperBound, bounds: Self.levels)
        }
        if let longWindowLog { try CompressionParameter.windowLog.check(longWindowLog) }
        for (parameter, value) in parameters { try parameter.check(value) }
    }

    /// The most bytes that `size` bytes of content are compressed to (`ZSTD_compressBound`).
    package static func bound(_ size: Int) -> Int { ZSTD_compressBound(size) }

    /// Everything besides its content that the bytes of a frame depend on, on one line: these options, and the version
    /// of libzstd.
    package var recipe: String {
        let numbers = parameters.map { "\($0)=\($1)" }.sorted()
        let others = [
            longWindowLog.map { "long=\($0)" }, hasChecksum ? nil : "no-check",
            alignment.map { "align=\($0)" },
            hasContentSize ? nil : "no-content-size", cutsByContent ? "rsyncable" : nil,
            adaptiveLevels.map { "adapt=\($0)" },
        ]
        let words = ["zstd-\(libraryVersion)", "level=\(level)", "frame-size=\(effectiveFrameSize)"]
        return (words + others.compactMap(\.self) + numbers).joined(separator: " ")
    }
}
