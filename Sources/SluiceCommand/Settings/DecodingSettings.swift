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
    /// Nil for the standard limit.
    var chosenWindowLimit: UInt64?
    /// The largest window that is accepted, in bytes.
    var windowLimit: UInt64 { chosenWindowLimit ?? UInt64(Decompression.defaultWindowLimit) }
}
