import Sluice
import SystemPackage

/// One thing that the command can be told to do: a type each, in a file of its own. `Mode` lists them, for the parser.
protocol Verb: Sendable {
    /// What it does with the data, as numbers and messages call it.
    var operation: Statistics.Operation { get }
    /// The name of an operand's output, made from its own; nil if there is none, or the suffix says nothing.
    func outputName(of path: FilePath) -> FilePath?
    /// What is read if no file is named.
    var standardOperands: [FilePath] { get }
    /// What is done with an operand.
    ///
    /// - Throws: why it can't be done with this one.
    func action(for source: Source, _ settings: Settings) throws(Failure) -> Action
    /// What is done with small files, as wholes; nil if each takes a run.
    func wholeFileAction(_ settings: Settings) -> Action?
    /// Tells the options that matter to it.
    func describe(_ run: inout Statistics.Run, _ settings: Settings)
    /// Does all the operands.
    ///
    /// - Returns: the exit code.
    /// - Throws: why nothing was begun.
    func run(_ operands: [FilePath], _ settings: Settings, _ console: Console) throws(Complaint) -> Int32
}

extension Verb {
    func outputName(of path: FilePath) -> FilePath? { nil }
    var standardOperands: [FilePath] { [Input.standardInput] }
    func wholeFileAction(_ settings: Settings) -> Action? { nil }
    func describe(_ run: inout Statistics.Run, _ settings: Settings) {}

    func run(_ operands: [FilePath], _ settings: Settings, _ console: Console) throws(Complaint) -> Int32 {
        try Session.refuseLoss(operands, settings)
        let session = try Session(operands, settings, console)
        let rate = try session.followRate()
        defer { withExtendedLifetime(rate) {} }
        return session.run(operands)
    }
}

extension Mode {
    var verb: any Verb {
        switch self {
        case .compress: Compress()
        case .decompress: Decompress()
        case .test: Check()
        case .list: List()
        case .copy: Copy()
        case .train: Train()
        case .benchmark: Measure()
        }
    }
}
