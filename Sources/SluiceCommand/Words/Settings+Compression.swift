import ForeignCodec
import SystemPackage
import ZstdCodec

/// How to compress.
extension Settings {
    mutating func take(
        _ options: CompressionOptionGroup, isUltra: Bool, _ environment: (String) -> String?
    ) throws(UsageError) {
        try check(format: options.format)
        let level = Self.level(
            options, isUltra: isUltra || options.ultra || options.long != nil || verb.heeds.contains(.measuring),
            environment, &warnings)
        compression = CompressionOptions(
            level: level, frameSize: verb.heeds.contains(.training) ? nil : try Self.frameSize(options, &warnings),
            longWindowLog: try Self.windowLog(options),
            hasChecksum: options.check)
        flushInterval = try Self.interval(options.flushInterval)
        // Who calls zstd may hand its output to a reader of one frame, such as a kernel that boots.
        let isForZstd = followsZstd && options.frameSize == nil && flushInterval == nil
        // Long-distance matches reach across the whole input, which independent frames would cut.
        isSingleFrame = verb.heeds.contains(.frames) && (options.singleFrame ?? isForZstd || options.long != nil)
        if isSingleFrame, flushInterval != nil {
            throw UsageError("--flush-interval ends frames early, and there is one frame only")
        }
        let bytes = try Self.bytes(options.streamSize, for: "--stream-size")
        streamSize = bytes == 0 ? nil : bytes
    }

    /// As for zstd, what is said of the format matters only if something is compressed: else the data tells it.
    private func check(format: String?) throws(UsageError) {
        guard let format, format != "zstd" else { return }
        guard let foreign = ForeignFormat(rawValue: format), foreign.isRead else {
            throw UsageError("--format takes zstd, or with -d the name of what is read: gzip, xz, lzma or lz4")
        }
        if verb.heeds.contains(.measuring) { throw UsageError("-b measures the zstd format only, not \(format)") }
        if verb.heeds.contains(.frames) {
            throw UsageError(
                "--format=\(format): sluice reads \(format), and writes zstd only", hint: "\(format) writes its format")
        }
    }

    private static func level(
        _ options: CompressionOptionGroup, isUltra: Bool, _ environment: (String) -> String?,
        _ warnings: inout [String]
    ) -> Int {
        // As with zstd, a bad value is worth a word also when the command line says a level.
        let standard = number("ZSTD_CLEVEL", "a level", isSigned: true, environment, &warnings)
        let level = options.level ?? standard
        guard let level, level != 0 else { return 3 }
        let highest = isUltra ? CompressionOptions.levels.upperBound : 19
        if level > highest {
            let hint = isUltra ? "" : " (--ultra allows up to \(CompressionOptions.levels.upperBound))"
            warnings.append("level \(level) is too high: using \(highest)\(hint)")
        }
        return min(max(level, CompressionOptions.levels.lowerBound), highest)
    }

    /// As for zstd, a size that is too small means the smallest, and one that is too large the largest.
    private static func frameSize(
        _ options: CompressionOptionGroup, _ warnings: inout [String]
    ) throws(UsageError) -> Int? {
        guard let bytes = try bytes(options.frameSize, for: "-B"), bytes > 0 else { return nil }
        let sizes = CompressionOptions.frameSizes
        let size = min(max(Int(clamping: bytes), sizes.lowerBound), sizes.upperBound)
        if bytes != size {
            let fault = bytes < size ? "small" : "large"
            warnings.append(
                "-B\(options.frameSize ?? "") is too \(fault): using \(ByteCount.format(UInt64(size)))")
        }
        return size
    }

    private static func windowLog(_ options: CompressionOptionGroup) throws(UsageError) -> Int? {
        guard let log = options.long else { return nil }
        guard (10...31).contains(log) else { throw UsageError("--long takes 10 to 31") }
        return log
    }

    private static func interval(_ seconds: Double?) throws(UsageError) -> Duration? {
        guard let seconds else { return nil }
        guard seconds >= 0.01, seconds <= 86400 else {
            throw UsageError("--flush-interval takes seconds, 0.01 to 86400")
        }
        return .seconds(seconds)
    }
}
