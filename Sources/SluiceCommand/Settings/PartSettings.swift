import SystemPackage
import ZstdCodec

/// Which share of a file this machine does, and what the others have told.
struct PartSettings: Sendable {
    /// Nil for all of it.
    var share: ContentShare?
    /// The directory with the statistics of all parts, which are told when they are joined.
    var statistics: FilePath?
}
