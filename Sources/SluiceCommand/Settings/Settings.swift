import Sluice
import SystemPackage
import ZstdCodec

/// The meaning of the command line, one value for each subject.
struct Settings: Sendable {
    var command: any Command
    /// Whether the command was called by one of zstd's names.
    let followsZstd: Bool
    /// Whether files are replaced, and devices, links and terminals used.
    var isForced = false

    var input = InputSettings()
    var compression = CompressionSettings()
    var decoding = DecodingSettings()
    var output = OutputSettings()
    var limits = LimitSettings()
    var reporting = ReportingSettings()
    var proof = ProofSettings()
    var part = PartSettings()
    var training = Training()
    var measuring = Measuring()
    var references = References()

    /// Warnings about options that are adjusted or ignored.
    var warnings: [String] = []

    /// - Parameter followsZstd: whether the command was called by one of zstd's names.
    init(_ command: any Command, followsZstd: Bool = false) {
        self.command = command
        self.followsZstd = followsZstd
    }

    /// The console, if it may ask: standard input carries no data, and is a terminal. With zstd's names answers come
    /// from anywhere, as they do for zstd.
    func asking(_ console: Console, besides operands: [FilePath]) -> Console? {
        let hasAnswers =
            !operands.contains(Operand.standardInput)
            && (followsZstd || StandardDescriptors.isTerminal(.standardInput))
        return hasAnswers && reporting.quietness == 0 ? console : nil
    }
}
