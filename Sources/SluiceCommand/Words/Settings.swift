import ForeignCodec
import Glibc
import Sluice
import SystemPackage
import ZstdCodec

/// What the options mean.
struct Settings: Sendable {
    enum Output: Equatable, Sendable {
        /// A name made from the source's, or standard output for standard input.
        case derived
        case standardOutput
        case path(FilePath)
    }

    let verb: any Verb
    let compression: CompressionOptions
    let isSingleFrame: Bool
    let flushInterval: Duration?
    /// Bytes that will come from standard input, if that was said.
    let streamSize: UInt64?
    let threads: Int
    /// Bytes.
    let windowLimit: UInt64
    let output: Output
    let isForced: Bool
    /// Whether decompression passes on what is not compressed.
    let passesForeign: Bool
    let removesSource: Bool
    let isSynced: Bool
    /// What has to be on the disk in the end need not go through the cache; what is read next does all the same.
    var caching: Sink.Caching { isSynced ? .bypassed : .cached }
    /// 1 silences warnings and the summary, 2 errors too.
    let quietness: Int
    let verbosity: Int
    let progress: ProgressStyle
    /// Whether the command was called by a name of zstd's, whose rule for showing progress then holds.
    let followsZstd: Bool
    let statistics: StatisticsStyle?
    let statisticsFile: FilePath?
    let traceFile: FilePath?
    let reportFile: FilePath?
    let reading: Reading
    /// Bytes per second.
    let rateLimit: UInt64?
    /// Bytes.
    let buffer: UInt64
    /// 0 to 1.
    let fillBeforeWriting: Double
    /// Whether the process confines itself to the files of the run.
    let isSandboxed: Bool
    /// What was asked for and is done otherwise.
    private(set) var warnings: [String] = []

    /// - Parameters:
    ///   - paths: what the options' path indices stand for.
    ///   - followsZstd: whether the command was called by a name of zstd's.
    ///   - memory: of the machine, in bytes.
    ///   - environment: the value of a variable, nil if it is not set.
    init(
        _ options: Options, paths: [FilePath], followsZstd: Bool = false, memory: UInt64 = Machine.memory ?? .max,
        environment: (String) -> String?
    ) throws(UsageError) {
        let mode = options.mode.mode ?? .compress
        verb = mode.verb
        try Self.check(format: options.compression.format, mode)
        var warnings: [String] = []
        let level = Self.level(options.compression, environment, &warnings)
        compression = CompressionOptions(
            level: level, frameSize: try Self.frameSize(options.compression),
            longWindowLog: try Self.windowLog(options.compression), hasChecksum: options.compression.check)
        // Long-distance matches reach across the whole input, which independent frames would cut.
        isSingleFrame = mode == .compress && (options.compression.singleFrame || options.compression.long != nil)
        flushInterval = try Self.interval(options.compression.flushInterval)
        if isSingleFrame, flushInterval != nil {
            throw UsageError("--flush-interval ends frames early, and there is one frame only")
        }
        streamSize = try Self.bytes(options.compression.streamSize, for: "--stream-size")
        threads = try Self.threads(options.limits, environment, &warnings)
        windowLimit = try Self.windowLimit(options)
        output =
            options.output.stdout
            ? .standardOutput
            : options.output.output.map { paths[$0] == "-" ? .standardOutput : .path(paths[$0]) } ?? .derived
        isForced = options.output.force
        passesForeign =
            mode == .decompress && (options.output.passThrough ?? (isForced && output == .standardOutput))
        removesSource = options.output.source == .rm
        isSynced = options.output.sync
        quietness = options.messages.quiet
        verbosity = options.messages.verbose
        progress = options.messages.progress
        self.followsZstd = followsZstd
        statistics = options.messages.stats
        statisticsFile = options.messages.statsFile.map { paths[$0] }
        traceFile = options.messages.trace.map { paths[$0] }
        reportFile = options.messages.report.map { paths[$0] }
        reading = options.advanced.reading
        rateLimit = try Self.rate(options.limits)
        buffer = try Self.buffer(options.limits)
        fillBeforeWriting = try Self.fill(options.limits.bufferStart)
        isSandboxed = options.limits.sandbox
        if removesSource, !verb.operation.hasOutput || output == .standardOutput {
            warnings.append("the source stays: --rm needs an output file")
        }
        if flushInterval != nil, verb.operation.content != .input {
            warnings.append("--flush-interval is ignored: nothing is compressed")
        }
        if buffer > memory {
            warnings.append("--buffer is larger than the memory of this machine, \(ByteCount.format(memory))")
        }
        if fillBeforeWriting > 0, buffer == 0 {
            warnings.append("--buffer-start has no --buffer to fill: it waits for what the workers have in hand")
        }
        if isSingleFrame, options.compression.frameSize != nil { warnings.append("-B is ignored: there is one frame") }
        if reading != .auto, mode != .compress || isSingleFrame || rateLimit != nil {
            warnings.append("--read is ignored: Dispatch reads what is not cut into frames, or has to keep to a rate")
        }
        self.warnings = warnings
    }

    /// As for zstd, what is said of the format matters only if something is compressed: else the data tells it.
    private static func check(format: String?, _ mode: Mode) throws(UsageError) {
        guard let format, format != "zstd" else { return }
        guard let foreign = ForeignFormat(rawValue: format), foreign.isRead else {
            throw UsageError("--format takes zstd, or with -d the name of what is read: gzip, xz, lzma or lz4")
        }
        if mode == .compress {
            throw UsageError(
                "--format=\(format): sluice reads \(format), and writes zstd only", hint: "\(format) writes its format")
        }
    }

    private static func level(
        _ options: CompressionOptionGroup, _ environment: (String) -> String?, _ warnings: inout [String]
    ) -> Int {
        // As with zstd, a bad value is worth a word also when the command line says a level.
        let standard = number("ZSTD_CLEVEL", "a level", isSigned: true, environment, &warnings)
        let level = options.level ?? standard
        guard let level, level != 0 else { return 3 }
        let highest = options.ultra ? CompressionOptions.levels.upperBound : 19
        if level > highest {
            let hint = options.ultra ? "" : " (--ultra allows up to \(CompressionOptions.levels.upperBound))"
            warnings.append("level \(level) is too high: using \(highest)\(hint)")
        }
        return min(max(level, CompressionOptions.levels.lowerBound), highest)
    }

    /// The number in a variable of the environment; nil if it is not set, or has no number of 32 bits, as zstd's have.
    private static func number(
        _ name: String, _ kind: String, isSigned: Bool, _ environment: (String) -> String?, _ warnings: inout [String]
    ) -> Int? {
        guard let word = environment(name) else { return nil }
        if let number = Int(word), number.magnitude <= UInt32.max, isSigned || word.first?.isNumber == true {
            return number
        }
        warnings.append("ignoring \(name)=\(FilePath(word).printable): not \(kind)")
        return nil
    }

    private static func frameSize(_ options: CompressionOptionGroup) throws(UsageError) -> Int? {
        guard let bytes = try bytes(options.frameSize, for: "-B"), bytes > 0 else { return nil }
        let sizes = CompressionOptions.frameSizes
        guard bytes >= sizes.lowerBound, bytes <= sizes.upperBound else {
            throw UsageError(
                "-B takes \(ByteCount.format(UInt64(sizes.lowerBound))) to \(ByteCount.format(UInt64(sizes.upperBound)))"
            )
        }
        return Int(bytes)
    }

    private static func windowLog(_ options: CompressionOptionGroup) throws(UsageError) -> Int? {
        guard let log = options.long else { return nil }
        guard (10...31).contains(log) else { throw UsageError("--long takes 10 to 31") }
        return log
    }

    private static func windowLimit(_ options: Options) throws(UsageError) -> UInt64 {
        let memory = try bytes(options.limits.memory, for: "-M").flatMap { $0 > 0 ? $0 : nil }
        let window = options.compression.long.map { UInt64(1) << UInt64($0) }
        return max(memory ?? 0, window ?? 0).nonZero ?? Job.defaultWindowLimit
    }

    private static func interval(_ seconds: Double?) throws(UsageError) -> Duration? {
        guard let seconds else { return nil }
        guard seconds >= 0.01, seconds <= 86400 else {
            throw UsageError("--flush-interval takes seconds, 0.01 to 86400")
        }
        return .seconds(seconds)
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

    private static func rate(_ options: LimitOptions) throws(UsageError) -> UInt64? {
        guard var text = options.limitRate else { return nil }
        if text.hasSuffix("/s") { text.removeLast(2) }
        guard let rate = try bytes(text, for: "--limit-rate"), rate > 0 else {
            throw UsageError("--limit-rate takes bytes per second, more than 0")
        }
        return rate
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

    /// As for zstd, whose limit is `ZSTDMT_NBWORKERS_MAX`.
    private static let mostThreads = 256

    private static func bytes(_ text: String?, for option: String) throws(UsageError) -> UInt64? {
        guard let text else { return nil }
        guard let bytes = ByteCount.parse(text) else {
            throw UsageError("\(option) takes a number of bytes, such as 8M, not \(FilePath(text).printable)")
        }
        return bytes
    }
}

extension UInt64 {
    fileprivate var nonZero: UInt64? { self == 0 ? nil : self }
}

extension Settings {
    /// The name of a file's output, made from its own; nil if there is none, or its suffix is unknown.
    func derivedName(of path: FilePath) -> FilePath? {
        guard output == .derived, path != Input.standardInput else { return nil }
        return verb.outputName(of: path)
    }

    /// What is done otherwise than it was asked for with these operands.
    func warnings(for operands: [FilePath]) -> [String] {
        let writesFile =
            switch output {
            case .standardOutput: false
            case .derived: operands != [Input.standardInput]
            // Pipes and devices are written as they are.
            case .path(let path): (try? FileIdentity(at: path))?.kind ?? .file == .file
            }
        guard flushInterval != nil, verb.operation.content == .input, writesFile else { return warnings }
        return warnings + ["--flush-interval is for standard output: a file has its name at the end only"]
    }

    /// How progress is shown, after a look at where it would be seen.
    func visibleProgress(for operands: [FilePath]) -> ProgressStyle {
        guard progress == .auto else { return progress }
        // Nobody wants it among what is being typed.
        let isTyped = operands.contains(Input.standardInput) && StandardDescriptors.isTerminal(.standardInput)
        let isSilent = quietness > 0 || isTyped || followsZstd && isFilter(operands)
        return !isSilent && StandardDescriptors.isTerminal(.standardError) ? .bar : .none
    }

    /// Whether the line at the end is printed: not among other programs in a pipe, unless it was asked for.
    func showsSummary(for operands: [FilePath]) -> Bool {
        // An object of JSON says it all, and stays alone.
        guard quietness == 0, progress != .json, statistics != .json else { return false }
        return verbosity > 0 || statistics != nil || !verb.operation.hasOutput || !isFilter(operands)
    }

    /// Whether the bar's last line stays, as pv's does: in a pipeline nothing else tells what went through.
    func keepsBar(for operands: [FilePath]) -> Bool {
        guard isFilter(operands), !showsSummary(for: operands), statistics != .json else { return false }
        let readsPipe = operands.contains(Input.standardInput) && StandardDescriptors.isPipe(.standardInput)
        return readsPipe || StandardDescriptors.isPipe(.standardOutput)
    }

    /// Whether the data goes to standard output.
    func isFilter(_ operands: [FilePath]) -> Bool {
        output == .standardOutput
            || output == .derived && (operands == [Input.standardInput] || verb.operation.content == .both)
    }

    /// Whether anybody asked for numbers that only a recorder has.
    var wantsStatistics: Bool { statistics != nil || statisticsFile != nil || reportFile != nil }
}
