import SluiceEngine
import SystemPackage

/// The meaning of the command line, one value for each subject.
struct Settings: Sendable {
    var command: any Command
    /// Printed instead of a run; once it is set, the words that follow are ignored.
    var answer: Answer?
    /// Whether the command was called by one of zstd's names.
    let followsZstd: Bool

    /// The files to process: those that were typed, until `completeOperands` adds the others.
    var operands: [FilePath] = []
    /// Whether there are directories to walk; known when the operands are complete.
    var walks = false

    var input = InputSettings()
    var compression = CompressionSettings()
    var decoding = DecodingSettings()
    var members = MemberSettings()
    var output = OutputSettings()
    var limits = LimitSettings()
    var reporting = ReportingSettings()
    var verification = VerificationSettings()
    var trainer = DictionaryTrainer()
    var measuring = Measuring()
    var references = ReferenceFile.none

    /// Warnings about options that are adjusted or ignored.
    var warnings: [String] = []

    /// The byte that ends a line.
    var lineEnd: UInt8 { compression.lineEnd ?? UInt8(ascii: "\n") }

    /// Whether files are replaced, and terminals, devices and links written to.
    var isForced: Bool { input.isForced }

    /// Whether writes wait for space: the default on a terminal, where someone can free some.
    var waitsWhenFull: Bool {
        output.waitsWhenFull ?? (reporting.quietness == 0 && StandardDescriptors.isTerminal(.standardError))
    }

    /// Statistics, traces and reports to write, in this order.
    ///
    /// - Parameter start: when the run began, in nanoseconds (`StageSpan.now`).
    func exports(since start: UInt64 = StageSpan.now()) -> [Export] {
        let reporting = reporting
        let exports: [Export?] = [
            reporting.traceFile.map { .trace($0) },
            reporting.statistics == .text ? .table : nil,
            reporting.statistics == .json ? .statistics(nil) : nil,
            reporting.statisticsFile.map { statisticsExport($0) },
            reporting.reportFile.map { .report($0, since: start) },
        ]
        return exports.compactMap(\.self)
    }

    /// In a directory, each part has its own file.
    private func statisticsExport(_ path: FilePath) -> Export {
        guard let part = command.part, (try? FileIdentity(at: path))?.kind == .directory,
            let name = FilePath.Component("\(part.name).json")
        else { return .statistics(path) }
        return .partStatistics(path.appending(name))
    }

    /// The console, if it may ask: standard input carries no data, and is a terminal. With zstd's names answers come
    /// from anywhere, as they do for zstd.
    func asking(_ console: Console) -> Console? {
        let hasAnswers =
            (!operands.contains(Operand.standardInput) || input.commandWords != nil)
            && (followsZstd || StandardDescriptors.isTerminal(.standardInput))
        return hasAnswers && reporting.quietness == 0 ? console : nil
    }
}

/// How content is compressed.
struct CompressionSettings: Sendable {
    var options = CompressionOptions()
    /// The lowest and the highest level of `--adapt`, as far as they were given; nil without the option.
    var adaptation: (least: Int?, most: Int?)?
    var isSingleFrame = false
    /// The last byte of a line, if frames have whole lines.
    var lineEnd: UInt8?
    /// Parity beside the frames, in per cent of them; nil for none.
    var parity: Int?
    /// The age of a frame's first byte at which the frame ends.
    var flushInterval: Duration?
    /// Whether to use the strongest settings, which depend on the size of each file.
    var isStrongest = false
    /// Whether the parameters of the level are shown first.
    var showsParameters = false
}

/// What is done with the members of a tar archive.
struct MemberSettings: Sendable {
    /// Whether --members was given: an index of them is written, or they are listed.
    var isAsked = false
    /// The members to extract.
    var selection = MemberSelection()
}

/// Settings of benchmarks.
struct Measuring: Sendable {
    /// The last level to measure; nil for only one.
    var lastLevel: Int?
    var time = Duration.seconds(3)
    /// Whether each file is measured on its own.
    var isSeparate = false
    /// The share of synthetic data that repeats earlier data, 0 to 1.
    var compressibility = 0.5
    var onlyDecompresses = false
}

/// Which files are read, and how.
struct InputSettings: Sendable {
    /// Whether directories are processed recursively.
    var isRecursive = false
    /// Whether links are followed, and devices and terminals read; `Settings.isForced` asks the same for outputs.
    var isForced = false
    /// Whether files that are already compressed are excluded.
    var excludesCompressed = false
    /// Which files of the directories that are walked are left out.
    var leftOut = LeftOut.none
    /// Lists of operands.
    var fileLists: [FilePath] = []
    /// Whether files are compressed only because no operation was chosen.
    var isByDefault = false
    /// Whether the content of compressed files is compressed anew.
    var isDecoded = false
    /// Bytes that standard input will have; nil if not given.
    var streamSize: UInt64?
    /// About how many bytes standard input or the command's output will have; nil if not given.
    var sizeHint: UInt64?
    /// Whether zeros may follow compressed data.
    var ignoresZeros = false
    /// How a file to compress is read.
    var reading = ReadingMode.auto
    var remote = RemoteInputs()
    /// The command whose output is the input, and its arguments; nil for none.
    var commandWords: [[UInt8]]?
    /// Exit statuses of the command other than 0 that are a success.
    var acceptedStatuses: Set<Int> = []
    /// The command that `commandWords` names, once it can be started.
    var command: InputCommand?

    /// Whether an operand is a directory, or with `-f` a link to one.
    func isFolder(_ path: FilePath) -> Bool {
        if path.isStandardInput { return false }
        do throws(Errno) { return try FileIdentity(at: path, followingLinks: isForced).kind == .directory } catch {
            // The name ended in a slash, and what has it is a directory that can't be entered.
            return error == .permissionDenied && path.endsInDot
        }
    }
}

/// How frames are decompressed, and which ranges.
struct DecodingSettings: Sendable {
    /// The ranges to decompress; empty for all of the content.
    var ranges: [ContentRange] = []
    var indexFile: FilePath?
    /// How many of the last lines are wanted; nil for ranges of bytes.
    var tailLines: Int?
    /// How long a file that is still being written is followed; nil if its end is that of the input.
    var following: FollowedUntil?
    /// Whether only a part of the content is wanted.
    var isExcerpt: Bool { !ranges.isEmpty || tailLines != nil }
    /// How many of the first lines begin every share.
    var headerLines = 0
    /// What replaces lost content of a damaged file.
    var lossFilling = LossFilling.zeros
    /// Whether data in an unknown format passes unchanged.
    var passesForeign = false
    /// Whether a large frame may be decoded on several cores.
    var splitsFrames = true
    /// Nil for the standard limit.
    var chosenWindowLimit: UInt64?
    /// The largest window that is accepted, in bytes.
    var windowLimit: UInt64 { chosenWindowLimit ?? UInt64(Decompression.defaultWindowLimit) }
}

/// What ends the following of a file.
enum FollowedUntil: String, CaseIterable, Sendable {
    /// Nothing: another file under the name is followed, too.
    case name
    /// The end of the stream that the file has, whatever becomes of its name.
    case stream
}

/// The requested destination of the output.
enum Destination: Equatable, Sendable {
    /// A name derived from the source's; standard output for standard input.
    case derived
    case standardOutput
    case path(FilePath)
    /// An object of a store, by the path that stands for its URL (`RemoteInputs`).
    case object(FilePath)

    /// The path, if one was named.
    var path: FilePath? { if case .path(let path) = self { path } else { nil } }
    /// The object, if one was named.
    var object: FilePath? { if case .object(let path) = self { path } else { nil } }
}

/// Where the output goes, and what happens to the source.
struct OutputSettings: Sendable {
    var destination = Destination.derived
    /// The directory of derived outputs; nil for each source's own.
    var folder: OutputFolder?
    /// Whether --rm was given; `Settings.removesSources` says whether it has an effect.
    var isRemovalAsked = false
    /// Whether unfinished output is kept, and continued by the next run.
    var resumes = false
    /// Whether writes to a full disk wait for space, rather than fail; nil to wait on a terminal only.
    var waitsWhenFull: Bool?
    var isSynced = true
    /// Bytes of each part of an object but the last one; nil to let the size of the output decide.
    var uploadPart: Int?
    /// Whether decompressed zeros become holes; nil for files only, not standard output.
    var leavesHoles: Bool?
    /// The file that `--append` extends, once it is open.
    var growing: AppendedFile?
}

/// Limits of resources.
struct LimitSettings: Sendable {
    /// The number as it was given; 0 for one thread on each processor that the process may use.
    var chosenThreads = 0
    static let mostThreads = Job.mostThreads
    /// libzstd takes at most 256 for a single frame (`ZSTDMT_NBWORKERS_MAX`).
    var threads: Int { chosenThreads > 0 ? Job.threads(chosenThreads) : countedProcessors }
    /// Bytes of memory for the process; nil for what is available.
    var memory: UInt64?
    var rate: RateSetting?
    /// Bytes between reading and writing, beside what the workers hold.
    var buffer: UInt64 = 0
    /// How full the buffer is when writing starts, 0 to 1.
    var fillBeforeWriting = 0.0
    /// Whether the process is confined to the files of the run.
    var isSandboxed = true
}

/// The limit of the rate of reading, in bytes per second.
enum RateSetting: Sendable {
    case fixed(UInt64)
    /// The rate in this file, which may change.
    case file(FilePath)

    /// Bytes per second; nil if a file sets the rate.
    var fixed: UInt64? { if case .fixed(let rate) = self { rate } else { nil } }

    /// The file that sets the rate; nil if it is fixed.
    var file: FilePath? { if case .file(let path) = self { path } else { nil } }

    /// Parses bytes per second, such as `10M` or `10M/s`; nil for anything else, or 0.
    static func parse(_ text: String) -> UInt64? {
        let number = text.hasSuffix("/s") ? String(text.dropLast(2)) : text
        return ByteCount.parse(number).flatMap { $0 > 0 ? $0 : nil }
    }
}

/// What is reported about a run.
struct ReportingSettings: Sendable {
    /// 1 silences warnings and the summary, 2 errors too.
    var quietness = 0
    var verbosity = 0
    var progress = ProgressStyle.auto
    /// Seconds between progress updates; nil for the style's default.
    var interval: Double?
    /// Text to show in place of the file's name.
    var label: String?
    var statistics: StatisticsStyle?
    var statisticsFile: FilePath?
    var traceFile: FilePath?
    var reportFile: FilePath?
    /// Whether listings have each frame.
    var listsFrames = false
    /// Whether listings and losses are printed as JSON.
    var isJSON = false
    /// Whether a program reads what is reported, and needs all of it.
    var isForPrograms: Bool { isJSON || progress == .json || statistics == .json }
}

/// How progress is shown.
enum ProgressStyle: String, CaseIterable, Sendable {
    /// A bar if standard error is a terminal.
    case auto
    case bar
    /// A line every few seconds.
    case plain
    /// A JSON object per second, one per line.
    case json
    case none
}

/// How the statistics are printed.
enum StatisticsStyle: String, CaseIterable, Sendable {
    case text
    case json
}

/// How content is verified.
struct VerificationSettings: Sendable {
    /// Whether each worker decompresses and compares the frames it made.
    var verifiesFrames = false
    /// Whether the finished file is read back from the disk before it gets its name.
    var readsBack = false
    /// The file to compare the content with.
    var reference: FilePath?
    /// The name of the hash to compute, if any, and its function once loaded.
    var hashName: String?
    var hash: HashFunction?

    /// Loads the hash function, if one was asked for.
    mutating func loadHash() throws(Complaint) {
        guard let hashName else { return }
        do throws(Failure) { hash = try HashFunction(hashName) } catch {
            throw Complaint("--hash: \(error)", hint: "it is part of OpenSSL: apt-get install libssl3")
        }
    }
}

/// A text that is printed instead of a run.
enum Answer {
    case usage, help, version
    case generate(Generated)
}

/// The files that are made from the declarations.
enum Generated: String, CaseIterable {
    case man
    case bash = "complete-bash"
    case zsh = "complete-zsh"
    case fish = "complete-fish"
    case zstdOptions = "zstd-options"
}
