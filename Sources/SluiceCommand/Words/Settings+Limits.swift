import Sluice
import SystemPackage
import ZstdCodec

/// Limits.
extension Settings {
    /// As for zstd, whose limit is `ZSTDMT_NBWORKERS_MAX`.
    private static let mostThreads = 256

    /// - Parameter window: the binary logarithm of a window that is accepted, too.
    mutating func take(
        _ options: LimitOptions, window: Int?, _ environment: (String) -> String?
    ) throws(UsageError) {
        threads = try Self.threads(options, environment, &warnings)
        memoryLimit = try Self.bytes(options.memory, for: "-M").flatMap { $0 > 0 ? $0 : nil }
        let window = window.map { UInt64(1) << UInt64($0) }
        hasWindowLimit = memoryLimit != nil || window != nil
        windowLimit = hasWindowLimit ? max(memoryLimit ?? 0, window ?? 0) : Job.defaultWindowLimit
        rateLimit = try Self.rate(options)
        buffer = try Self.buffer(options)
        fillBeforeWriting = try Self.fill(options.bufferStart)
        isSandboxed = options.sandbox
    }

    /// The window that the words for compression ask for, which is one to accept where frames are decoded, as for zstd.
    func windowLog(_ options: CompressionOptionGroup) throws(UsageError) -> Int? {
        guard let log = compression.parameters[.windowLog], log > 0 else { return options.long }
        // What is compressed is checked with its other numbers, and nothing else that moves no data looks at it.
        if verb is any Transfer, !verb.heeds.contains(.parameters) {
            var window = CompressionOptions()
            window.parameters[.windowLog] = log
            try Self.check(window)
        }
        return log
    }

    private static func threads(
        _ options: LimitOptions, _ environment: (String) -> String?, _ warnings: inout [String]
    ) throws(UsageError) -> Int {
        let standard = number("ZSTD_NBTHREADS", "a number of threads", isSigned: false, environment, &warnings)
        let threads = options.threads ?? standard
        guard let threads, threads != 0 else { return availableProcessors() }
        guard threads > 0 else {
            throw UsageError("-T takes a number of threads, 0 for as many as CPUs, not \(threads)")
        }
        return min(threads, mostThreads)
    }

    private static func rate(_ options: LimitOptions) throws(UsageError) -> RateSetting? {
        guard let text = options.limitRate else { return nil }
        if text.first == "@" { return .file(FilePath(String(text.dropFirst()))) }
        guard let rate = RateSetting.parse(text) else {
            throw UsageError("--limit-rate takes bytes per second, such as 10M, more than 0")
        }
        return .fixed(rate)
    }

    private static func buffer(_ options: LimitOptions) throws(UsageError) -> UInt64 {
        let buffer = try bytes(options.buffer, for: "--buffer") ?? 0
        guard buffer <= 1 << 40 else { throw UsageError("--buffer takes up to 1 TiB") }
        return buffer
    }

    private static func fill(_ percent: Double?) throws(UsageError) -> Double {
        guard let percent else { return 0 }
        guard percent >= 0, percent <= 100 else { throw UsageError("--buffer-start takes a percentage, 0 to 100") }
        return percent / 100
    }
}
