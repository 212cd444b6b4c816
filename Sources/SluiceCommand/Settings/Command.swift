import Sluice

/// One operation of the command, a type each.
protocol Command: Sendable {
    /// The operation's names in statistics and messages; its name is also its long option.
    var activity: Statistics.Activity { get }
    /// The options that have a meaning for it.
    var heeds: HeededOptions { get }
    /// The share of a file that it processes; nil for all of it.
    var share: ContentShare? { get }
    /// The output name derived from an operand's; nil if there is none, or the suffix is unknown.
    func outputName(of path: FilePath) -> FilePath?
    /// Whether the file with an output's name, if any, was made by an earlier run from the same source, and may be
    /// replaced without asking; nil for a command whose outputs never may.
    func repeats(_ path: FilePath, of source: FileIdentity) -> Bool?
    /// Processes all operands.
    ///
    /// - Returns: the exit code.
    /// - Throws: why nothing was started.
    func run(_ settings: Settings, _ console: Console) throws(Complaint) -> Int32
}

extension Command {
    var share: ContentShare? { nil }
    func repeats(_ path: FilePath, of source: FileIdentity) -> Bool? { nil }

    func outputName(of path: FilePath) -> FilePath? {
        switch activity.content {
        case .input: FileName.compressed(path)
        case .output where activity.hasOutput: FileName.decompressed(path)
        default: nil
        }
    }
}
