import SluiceEngine

/// One operation of the command, a type each.
protocol Command: Sendable {
    /// The operation's names in statistics and messages; its name is also its long option.
    var activity: Activity { get }
    /// The options that have a meaning for it.
    var optionGroups: OptionGroups { get }
    /// The part of a file that it processes; nil for all of it.
    var part: PartNumber? { get }
    /// Whether the output may take the name of its source, with `-f`.
    var replacesInput: Bool { get }
    /// Whether it uses the parity of files.
    var repairs: Bool { get }
    /// The output name derived from an operand's; nil if there is none, or the suffix is unknown.
    func outputName(of path: FilePath) -> FilePath?
    /// How the output of a source claims a name that may be taken, without `-f`.
    func claim(on path: FilePath, of source: FileIdentity) -> Claim
    /// Processes all operands.
    ///
    /// - Returns: the exit code.
    /// - Throws: why nothing was started.
    func run(_ settings: Settings, _ console: Console) throws(Complaint) -> Int32
}

extension Command {
    var part: PartNumber? { nil }
    var replacesInput: Bool { false }
    var repairs: Bool { false }
    func claim(on path: FilePath, of source: FileIdentity) -> Claim { .ask }

    func outputName(of path: FilePath) -> FilePath? {
        switch activity.content {
        case .input: FileName.compressed(path)
        case .output where activity.hasOutput: FileName.decompressed(path)
        default: nil
        }
    }
}

/// How an output claims a name that another file may have.
enum Claim {
    /// Whoever is there to answer is asked; without an answer, the other file stays.
    case ask
    /// The name is free, or an earlier run made the file from the same source, as this run would: it is replaced.
    case replace
    /// The file is another one, which stays without a question.
    case refuse
}

/// A command that transforms data from each operand to an output, run by a `Session`.
protocol Transfer: Command {
    /// Returns the operation on an operand.
    ///
    /// - Parameter console: for the operation's messages while it runs.
    /// - Throws: why this operand can't be processed.
    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console) throws(Failure)
        -> any RunOperation
    /// Returns the operation that handles each small file as a whole; nil if each needs a pipeline.
    func wholeFileOperation(_ settings: Settings) -> (any WholeFileOperation)?
    /// Returns the operation that inspects a damaged file for more than its first damage; nil for none.
    func inspection(of source: Source, after failure: Failure, _ settings: Settings) -> (any RunOperation)?
}

extension Transfer {
    func wholeFileOperation(_ settings: Settings) -> (any WholeFileOperation)? { nil }
    func inspection(of source: Source, after failure: Failure, _ settings: Settings) -> (any RunOperation)? { nil }
}

/// Groups of options that only some commands use. Others ignore them, or reject them.
struct OptionGroups: OptionSet, Sendable {
    let rawValue: Int

    /// How content is divided into frames, and libzstd's strongest settings.
    static let frames = OptionGroups(rawValue: 1 << 0)
    /// Parameters of libzstd.
    static let parameters = OptionGroups(rawValue: 1 << 1)
    static let training = OptionGroups(rawValue: 1 << 2)
    /// Benchmarks.
    static let measuring = OptionGroups(rawValue: 1 << 3)
    static let patches = OptionGroups(rawValue: 1 << 4)
    /// Passing data in an unknown format unchanged.
    static let passing = OptionGroups(rawValue: 1 << 5)
    static let json = OptionGroups(rawValue: 1 << 6)
    /// Ranges of a file's content.
    static let ranges = OptionGroups(rawValue: 1 << 7)
    static let recovery = OptionGroups(rawValue: 1 << 8)
    /// A reference file to compare with.
    static let reference = OptionGroups(rawValue: 1 << 9)
    static let resuming = OptionGroups(rawValue: 1 << 10)
    /// Appending to an existing file.
    static let growing = OptionGroups(rawValue: 1 << 11)
    /// The part of a file that a machine processes.
    static let parts = OptionGroups(rawValue: 1 << 12)
    /// Options for data that is processed, such as its hash.
    static let data = OptionGroups(rawValue: 1 << 13)
    static let alignment = OptionGroups(rawValue: 1 << 14)
    static let verification = OptionGroups(rawValue: 1 << 15)
    /// Joining parts: their statistics, and operands that must be files.
    static let joining = OptionGroups(rawValue: 1 << 16)
    /// The members of a tar archive: an index or a list of them, and their extraction.
    static let archives = OptionGroups(rawValue: 1 << 17)
    static let members = OptionGroups(rawValue: 1 << 18)
    /// Statistics, traces and reports.
    static let statistics = OptionGroups(rawValue: 1 << 19)
    /// What may follow compressed data.
    static let endings = OptionGroups(rawValue: 1 << 20)
    /// A command whose output is the input.
    static let inputCommand = OptionGroups(rawValue: 1 << 21)
    /// The frames of a file.
    static let listing = OptionGroups(rawValue: 1 << 23)
    /// A file that is still being written.
    static let following = OptionGroups(rawValue: 1 << 24)
    /// Parity beside the frames.
    static let parity = OptionGroups(rawValue: 1 << 28)
    /// Where lines end.
    static let records = OptionGroups(rawValue: 1 << 22)
}

extension PartNumber {
    /// A name that sorts in the order of the parts, such as `07-of-12`.
    var name: String { "\(String(number).padded(String(count).count, with: "0"))-of-\(count)" }
}
