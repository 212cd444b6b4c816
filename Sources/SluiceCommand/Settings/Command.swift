import Sluice
import SystemPackage
import ZstdCodec

/// One thing that the command can be told to do: a type each, in a file of its own.
protocol Command: Sendable {
    /// What it does with the data, as numbers and messages call it; its name is also its long option.
    var activity: Statistics.Activity { get }
    /// Which options mean something to it.
    var heeds: HeededOptions { get }
    /// Which share of a file it does; nil for all of it.
    var share: ContentShare? { get }
    /// What is read if no file is named.
    var standardOperands: [FilePath] { get }
    /// The name of an operand's output, made from its own; nil if there is none, or the suffix says nothing.
    func outputName(of path: FilePath) -> FilePath?
    /// Whether what has an output's name, if anything does, is what an earlier run made of the same source, which gives
    /// way without a word; nil for a command whose outputs never do.
    func repeats(_ path: FilePath, of source: FileIdentity) -> Bool?
    /// Tells the options that matter to it.
    func describe(_ run: inout Statistics.Run, _ settings: Settings)
    /// Does all the operands.
    ///
    /// - Returns: the exit code.
    /// - Throws: why nothing was begun.
    func run(_ operands: [FilePath], _ settings: Settings, _ console: Console) throws(Complaint) -> Int32
}

extension Command {
    var share: ContentShare? { nil }
    var standardOperands: [FilePath] { [Operand.standardInput] }
    func outputName(of path: FilePath) -> FilePath? { nil }
    func repeats(_ path: FilePath, of source: FileIdentity) -> Bool? { nil }
    func describe(_ run: inout Statistics.Run, _ settings: Settings) {}
}
