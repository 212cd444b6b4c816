import Sluice

/// How frames are decompressed, and which ranges.
struct DecodingSettings: Sendable {
    /// The ranges to decompress; empty for all of the content.
    var ranges: [ContentRange] = []
    var indexFile: FilePath?
    /// What replaces lost content of a damaged file.
    var lossFilling = LossFilling.zeros
    /// Whether data in no known format passes unchanged.
    var passesForeign = false
    /// Whether a large frame may be decoded on several cores.
    var splitsFrames = true
    /// The largest window that is accepted, in bytes.
    var windowLimit = Job.defaultWindowLimit
    /// Whether the command line sets that limit.
    var hasWindowLimit = false
}
