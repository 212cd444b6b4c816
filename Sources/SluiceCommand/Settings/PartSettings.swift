import SystemPackage
import ZstdCodec

/// The share of a file that this machine processes, and the statistics of all shares.
struct PartSettings: Sendable {
    /// Nil for the whole file.
    var share: ContentShare?
    /// The directory with the statistics of all parts, reported when they are joined.
    var statistics: FilePath?
}
