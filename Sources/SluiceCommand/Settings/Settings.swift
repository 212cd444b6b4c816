import Sluice
import SystemPackage
import ZstdCodec

/// What was asked for, whatever the words were: those of the options become settings in `Words`.
struct Settings: Sendable {
    let verb: any Verb
    /// Whether what is listed is for programs.
    var listsJSON = false

    // How to compress.
    var compression = CompressionOptions()
    var isSingleFrame = false
    var flushInterval: Duration?
    /// Bytes that will come from standard input, if that was said.
    var streamSize: UInt64?

    /// Whether the numbers of the level are shown first.
    var showsParameters = false
    /// Whether everything is set that makes the output smaller; how far, depends on the size of each file.
    var isStrongest = false

    // Which part is decompressed, if not all.
    var ranges: [ContentRange] = []
    /// Where an index is kept.
    var indexFile: FilePath?

    /// What becomes of content that a damaged file has lost.
    var lossFilling = LossFilling.zeros
    /// Whether each frame is decompressed and compared by who made it.
    var verifiesFrames = false
    /// Whether the finished file is read back from the disk before it has its name.
    var readsBack = false
    /// What the content is compared with.
    var reference: FilePath?
    /// Which share of a file is done, if not all.
    var share: ContentShare?
    /// The folder with the statistics of all parts, which are told when they are joined.
    var partStatistics: FilePath?

    // What frames refer to.
    var dictionary: FilePath?
    /// What a difference is made to, or was.
    var patchSource: FilePath?
    /// What was read of them.
    var references = References()
    /// How a dictionary is made.
    var training = Training()
    /// How levels are measured.
    var measuring = Measuring()

    // Which files are read.
    /// Whether of folders the files in them are done.
    var isRecursive = false
    var excludesCompressed = false
    /// Files that name operands.
    var fileLists: [FilePath] = []

    // Where it goes.
    var output = Destination.derived
    /// Where derived names are, if not beside the sources.
    var outputFolder: OutputFolder?
    var isForced = false
    /// Whether decompression passes on what is not compressed.
    var passesForeign = false
    var removesSource = false
    /// Whether an output that is not finished is kept, and gone on with.
    var resumes = false
    /// What is done when a disk is full; nil to wait on a terminal.
    var onFull: FullDiskAnswer?
    var isSynced = true
    /// Whether what is decompressed gets holes for zeros; nil for files that are named, and not for standard output.
    var leavesHoles: Bool?

    // Limits.
    var threads = 1
    /// Bytes.
    var windowLimit = Job.defaultWindowLimit
    /// Whether the command line says that limit.
    var hasWindowLimit = false
    /// Bytes that the process is to keep to, if that was said.
    var memoryLimit: UInt64?
    var rateLimit: RateSetting?
    /// Bytes.
    var buffer: UInt64 = 0
    /// 0 to 1.
    var fillBeforeWriting = 0.0
    /// Whether the process confines itself to the files of the run.
    var isSandboxed = true

    // Messages.
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
    /// The name of the hash that is made of the content, if one is, and what makes it.
    var hashName: String?
    var hash: HashFunction?

    // Advanced.
    var reading = Reading.auto
    /// Whether a large frame may be decoded on several cores.
    var splitsFrames = true

    /// What was asked for and is done otherwise.
    var warnings: [String] = []

    /// - Parameter followsZstd: whether the command was called by a name of zstd's.
    init(_ verb: any Verb, followsZstd: Bool = false) {
        self.verb = verb
        self.followsZstd = followsZstd
    }

    /// What has to be kept of the run, to be told at its end.
    var recording: Recording { exports.map(\.needs).max() ?? .nothing }
}
