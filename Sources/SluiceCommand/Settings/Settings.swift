import Sluice
import SystemPackage
import ZstdCodec

/// What was asked for, whatever the words were: a value for each subject, which those get who have to know it.
struct Settings: Sendable {
    var command: any Command
    /// Whether the command was called by a name of zstd's.
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
    /// What frames refer to.
    var references = References()

    /// What was asked for and is done otherwise.
    var warnings: [String] = []

    /// - Parameter followsZstd: whether the command was called by a name of zstd's.
    init(_ command: any Command, followsZstd: Bool = false) {
        self.command = command
        self.followsZstd = followsZstd
    }
}
