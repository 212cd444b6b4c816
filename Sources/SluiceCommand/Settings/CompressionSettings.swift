import ZstdCodec

/// How content is compressed.
struct CompressionSettings: Sendable {
    var options = CompressionOptions()
    var isSingleFrame = false
    /// The age of a frame's first byte at which the frame ends.
    var flushInterval: Duration?
    /// Whether to use the strongest settings, which depend on the size of each file.
    var isStrongest = false
    /// Whether the parameters of the level are shown first.
    var showsParameters = false
}
