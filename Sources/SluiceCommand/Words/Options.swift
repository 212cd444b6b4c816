public import ArgumentParser
public import Sluice

/// The options as they are typed, after `Dialect` has rewritten them: declared and documented here, given a meaning in
/// `Settings`. Those that few runs have are `SpecialOptions`.
struct Options: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sluice",
        abstract: "Stream files through Zstandard, in parallel both ways.",
        usage: """
            sluice [options] [file ...]
            sluice -d [options] [file.zst ...]
            producer | sluice [options] | consumer
            """,
        discussion: """
            Each FILE becomes FILE.zst beside it, or with -d the other way round; the source stays. Without a file, or \
            for -, standard input goes to standard output. Options that zstd has too work as they do there. A file appears \
            under its name only when it is complete and on the disk.
            """,
        version: Version.line,
        helpNames: [.long, .customShort("h")])

    // For the help, the manual page and completion; `Dialect` keeps the operands, which are bytes.
    @Argument(help: ArgumentHelp("Files to read; - is standard input.", valueName: "file"), completion: .file())
    var files: [String] = []

    @OptionGroup(title: "What to do") var mode: ModeOptions
    @OptionGroup(title: "How to compress") var compression: CompressionOptionGroup
    @OptionGroup(title: "What is read") var input: InputOptions
    @OptionGroup(title: "Where it goes") var output: OutputOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Messages") var messages: MessageOptions
    @OptionGroup(title: "Advanced") var advanced: AdvancedOptions
}

enum Mode: String, EnumerableFlag {
    case compress, decompress, test, list, copy, train, benchmark

    static func name(for mode: Mode) -> NameSpecification {
        switch mode {
        case .compress: [.customShort("z"), .long]
        case .decompress: [.customShort("d"), .long]
        case .test: [.customShort("t"), .long]
        case .list: [.customShort("l"), .long]
        case .copy, .train: .long
        case .benchmark: [.customShort("b"), .long]
        }
    }

    static func help(for mode: Mode) -> ArgumentHelp? {
        switch mode {
        case .compress: "Compress (default)."
        case .decompress: "Decompress; gzip, xz, lzma and lz4 too."
        case .test: "Decompress and verify, and write nothing."
        case .list: "Show frames, sizes and ratio."
        case .copy: "Pass the data on as it is, to standard output or -o FILE."
        case .train: "Make a dictionary of files that are samples: dictionary, or -o FILE; -B cuts them."
        case .benchmark: "Measure levels in memory, -b1 -e5 those from 1 to 5; with -d only decompression."
        }
    }
}

struct ModeOptions: ParsableArguments {
    // Which one is the default is said by its help.
    @Flag(exclusivity: .chooseLast) var mode: Mode?

    @Flag(name: .long, help: "With -l: print what is found as JSON, for programs.") var json = false
}

struct CompressionOptionGroup: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Level: 1 to 19, with --ultra to 22, 3 if not said; in short -1 to -22. Negative ones are faster: --fast[=N], 1 if not said.",
            valueName: "level"))
    var level: Int?

    @Flag(name: .long, help: "Allow the levels 20 to 22.") var ultra = false

    @Option(name: .long, help: ArgumentHelp("For zstd's sake: zstd is what is written.", visibility: .hidden))
    var format: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Written --long or --long=N: match over a window of 2^N bytes, 27 if not said, in one frame; with -d: accept such a window.",
            valueName: "N"))
    var long: Int?

    @Option(
        name: [.customShort("B"), .long],
        help: ArgumentHelp(
            "Decompressed bytes of each frame, as in -B8M; by the level if not said, 4 to 128 MiB.", valueName: "size"))
    var frameSize: String?

    @Flag(
        name: .long, inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "One frame, for readers that stop after the first; the default when called zstd, unless -B is given.")
    var singleFrame: Bool?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "End a frame when its first byte is this old, for live streams to standard output.", valueName: "seconds"))
    var flushInterval: Double?

    @Flag(
        name: [.customShort("C"), .long], inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "End each frame with a checksum of its content.")
    var check = true

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Bytes that come from standard input, for the bar and the header; another number is an error.",
            valueName: "size"))
    var streamSize: String?
}

struct InputOptions: ParsableArguments {
    @Flag(name: [.customShort("r"), .long], help: "Of folders, do the files that are in them; links with -f only.")
    var recursive = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read names from this file too: one in each line, or each before a zero byte.", valueName: "file"),
        completion: .file())
    var filelist: [Int] = []

    @Flag(name: .long, help: "Leave out what is compressed, as its suffix tells: archives, pictures, films.")
    var excludeCompressed = false
}

struct OutputOptions: ParsableArguments {
    @Option(
        name: [.customShort("o"), .long], help: ArgumentHelp("Write to this file.", valueName: "file"),
        completion: .file())
    var output: Int?

    @Flag(name: [.customShort("c"), .long], help: "Write to standard output.") var stdout = false

    @Option(
        name: .long, help: ArgumentHelp("Write all outputs into this folder.", valueName: "folder"),
        completion: .directory)
    var outputDirFlat: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write the outputs into this folder, in folders like those of the sources.", valueName: "folder"),
        completion: .directory)
    var outputDirMirror: Int?

    @Flag(
        name: [.customShort("f"), .long],
        help: "Replace files, read devices and links, use a terminal for compressed data.")
    var force = false

    @Flag(
        name: .long, inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "With -d: pass on what is in no format that is read; so it is with -f and -c.")
    var passThrough: Bool?

    @Flag(exclusivity: .chooseLast) var source: SourceFate?

    @Flag(
        name: .long, inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "With -d: leave long runs of zeros out of the output, as holes; by default of files that are named only.")
    var sparse: Bool?

    @Flag(
        name: .long, inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "Wait until the output is on the disk; what is compressed goes there past the page cache.")
    var sync = true
}

/// What becomes of a source when its output is complete.
enum SourceFate: String, EnumerableFlag {
    case keep, rm

    static func name(for fate: SourceFate) -> NameSpecification {
        fate == .keep ? [.customShort("k"), .long] : .long
    }

    static func help(for fate: SourceFate) -> ArgumentHelp? {
        fate == .keep ? "Keep the source (default)." : "Remove the source when the output is complete and on the disk."
    }
}

struct LimitOptions: ParsableArguments {
    @Option(
        name: [.customShort("T"), .long],
        help: ArgumentHelp("Workers, as in -T4; 0, the default: as many as CPUs may be used.", valueName: "n"))
    var threads: Int?

    @Option(
        name: [.customShort("M"), .long],
        help: ArgumentHelp("With -d: the largest window to accept, 128 MiB if not said.", valueName: "size"))
    var memory: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read no more than this each second, such as 10M: bytes of the input, which with -d are compressed ones; @FILE takes it from a file, again whenever that changes.",
            valueName: "size"))
    var limitRate: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Let so much input wait between a bursty producer and a slow consumer.", valueName: "size"))
    var buffer: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write nothing until the buffer is so full, and again when it has run dry.", valueName: "percent"))
    var bufferStart: Double?

    @Flag(
        name: .long, inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "Touch only the files and folders of this run, where the kernel can enforce it (Landlock).")
    var sandbox = true
}

struct MessageOptions: ParsableArguments {
    @Flag(name: [.customShort("q"), .long], help: "No summary and no warnings; twice: no errors either.")
    var quiet: Int

    @Flag(name: [.customShort("v"), .long], help: "Say more: threads, frames and memory.") var verbose: Int

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Written --progress or --progress=how: auto (a bar in a terminal), bar, plain (a line every 3 seconds), json (an object a second), percent (a number a second, for dialog) or none.",
            valueName: "how"))
    var progress: ProgressStyle = .auto

    @Option(
        name: .long,
        help: ArgumentHelp("Seconds from one drawing of the bar, or line, to the next.", valueName: "seconds"))
    var interval: Double?

    @Option(name: .long, help: ArgumentHelp("What the bar shows in place of the file's name.", valueName: "text"))
    var name: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Written --stats or --stats=how: say at the end what each stage did and what limited the run, as text or json.",
            valueName: "how"))
    var stats: StatisticsStyle?

    @Option(
        name: .long, help: ArgumentHelp("Write the statistics to this file, as JSON.", valueName: "file"),
        completion: .file())
    var statsFile: Int?

    @Option(
        name: .long, help: ArgumentHelp("Write a trace of every stage, for Perfetto.", valueName: "file"),
        completion: .file())
    var trace: Int?

    @Option(
        name: .long, help: ArgumentHelp("Write a report with diagrams, as one HTML page.", valueName: "file"),
        completion: .file())
    var report: Int?
}

struct AdvancedOptions: ParsableArguments {
    @Option(
        name: .customLong("read"),
        help: ArgumentHelp(
            "Who reads a file to compress: dispatch, the workers, or auto (workers if it is cached and every CPU has one).",
            valueName: "who"))
    var reading: Reading = .auto
}

extension Reading: ExpressibleByArgument {}

/// How progress is shown.
enum ProgressStyle: String, ExpressibleByArgument, CaseIterable {
    /// A bar if standard error is a terminal.
    case auto
    case bar
    /// A line every few seconds.
    case plain
    /// An object a second, on a line of its own.
    case json
    /// A number of percent, on a line of its own.
    case percent
    case none
}

/// How the statistics are printed.
enum StatisticsStyle: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
}
