import Sluice
import SystemPackage

/// How frames become content, and which part of it.
struct DecodingSettings: Sendable {
    /// The parts that are decompressed; empty for all of the content.
    var ranges: [ContentRange] = []
    /// Where an index is kept.
    var indexFile: FilePath?
    /// What takes the place of content that a damaged file has lost.
    var lossFilling = LossFilling.zeros
    /// Whether data in no known format passes unchanged.
    var passesForeign = false
    /// Whether a large frame may be decoded on several cores.
    var splitsFrames = true
    /// The largest window that is accepted, in bytes.
    var windowLimit = Job.defaultWindowLimit
    /// Whether the command line says that limit.
    var hasWindowLimit = false
}
