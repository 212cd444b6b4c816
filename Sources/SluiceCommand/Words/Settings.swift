import Sluice
import SystemPackage
import ZstdCodec

/// What the options mean. Each group of `Options` is checked, and given its meaning here, in a file of its own.
struct Settings: Sendable {
    enum Output: Equatable, Sendable {
        /// A name made from the source's, or standard output for standard input.
        case derived
        case standardOutput
        case path(FilePath)
    }

    let verb: any Verb
    /// Whether what is listed is for programs.
    let listsJSON: Bool

    // How to compress: Settings+Compression.
    var compression = CompressionOptions()
    var isSingleFrame = false
    var flushInterval: Duration?
    /// Bytes that will come from standard input, if that was said.
    var streamSize: UInt64?

    /// Whether everything is set that makes the output smaller; how far, depends on the size of each file.
    var isStrongest = false

    // What frames refer to: Settings+Dictionary.
    var dictionary: FilePath?
    /// What a difference is made to, or was.
    var patchSource: FilePath?
    /// What was read of them.
    var references = References()
    /// How a dictionary is made, and levels are measured: Settings+Training, Settings+Benchmark.
    var training = Training()
    var measuring = Measuring()

    // Which files are read: Settings+Input.
    /// Whether of folders the files in them are done.
    var isRecursive = false
    var excludesCompressed = false
    /// Files that name operands.
    var fileLists: [FilePath] = []

    // Where it goes: Settings+Output.
    var output = Output.derived
    /// Where derived names are, if not beside the sources.
    var outputFolder: OutputFolder?
    var isForced = false
    /// Whether decompression passes on what is not compressed.
    var passesForeign = false
    var removesSource = false
    var isSynced = true
    /// Whether what is decompressed gets holes for zeros; nil for files that are named, and not for standard output.
    var leavesHoles: Bool?

    // Limits: Settings+Limits.
    var threads = 1
    /// Bytes.
    var windowLimit = Job.defaultWindowLimit
    var rateLimit: RateSetting?
    /// Bytes.
    var buffer: UInt64 = 0
    /// 0 to 1.
    var fillBeforeWriting = 0.0
    /// Whether the process confines itself to the files of the run.
    var isSandboxed = true

    // Messages: Settings+Messages.
    /// 1 silences warnings and the summary, 2 errors too.
    var quietness = 0
    var verbosity = 0
    var progress = ProgressStyle.auto
    /// Seconds from one line to the next; nil for what suits the style.
    var interval: Double?
    /// What is shown as the name of what is done.
    var label: String?
    /// Whether the command was called by a name of zstd's, whose rule for showing progress then holds.
    let followsZstd: Bool
    var statistics: StatisticsStyle?
    /// The forms in which the run is told.
    var exports: [any Export] = []

    // Advanced.
    let reading: Reading

    /// What was asked for and is done otherwise.
    var warnings: [String] = []

    /// - Parameters:
    ///   - special: options that few runs have, if there are any.
    ///   - paths: what the options' path indices stand for.
    ///   - operands: standard input alone makes a filter.
    ///   - followsZstd: whether the command was called by a name of zstd's.
    ///   - memory: of the machine, in bytes.
    ///   - environment: the value of a variable, nil if it is not set.
    init(
        _ options: Options, special: SpecialOptions? = nil, paths: [FilePath], operands: [FilePath] = [],
        followsZstd: Bool = false,
        memory: UInt64 = Machine.memory ?? .max,
        environment: (String) -> String?
    ) throws(UsageError) {
        let mode = options.mode.mode ?? .compress
        verb = mode.verb
        listsJSON = options.mode.json
        if listsJSON, mode != .list { throw UsageError("--json goes with -l") }
        self.followsZstd = followsZstd
        reading = options.advanced.reading
        try take(options.compression, mode, isUltra: special?.allowsUltra == true, environment)
        if let special {
            try take(special.dictionary, mode, paths)
            try take(special.tuning, mode)
        }
        // A single frame is cut into jobs, for libzstd's own workers.
        if isSingleFrame, let size = compression.chosenFrameSize { compression.parameters[.jobSize] = size }
        try take(options.limits, window: options.compression.long, environment)
        take(options.input, paths)
        take(options.output, mode, paths, operands)
        try take(options.messages, paths)
        try takeTraining(options, special?.dictionary, mode)
        if mode == .benchmark { try take(special?.benchmark) }
        warnOfConflicts(options, mode, memory: memory)
    }

    /// The number in a variable of the environment; nil if it is not set, or has no number of 32 bits, as zstd's have.
    static func number(
        _ name: String, _ kind: String, isSigned: Bool, _ environment: (String) -> String?, _ warnings: inout [String]
    ) -> Int? {
        guard let word = environment(name) else { return nil }
        if let number = Int(word), number.magnitude <= UInt32.max, isSigned || word.first?.isNumber == true {
            return number
        }
        warnings.append("ignoring \(name)=\(FilePath(word).printable): not \(kind)")
        return nil
    }

    static func bytes(_ text: String?, for option: String) throws(UsageError) -> UInt64? {
        guard let text else { return nil }
        guard let bytes = ByteCount.parse(text) else {
            throw UsageError("\(option) takes a number of bytes, such as 8M, not \(FilePath(text).printable)")
        }
        return bytes
    }
}
