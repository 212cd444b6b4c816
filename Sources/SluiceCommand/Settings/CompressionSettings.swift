import ZstdCodec

/// How content becomes frames.
struct CompressionSettings: Sendable {
    var options = CompressionOptions()
    var isSingleFrame = false
    /// The age at which the first byte of a frame ends it.
    var flushInterval: Duration?
    /// Whether everything is set that makes the output smaller; how far depends on the size of each file.
    var isStrongest = false
    /// Whether the parameters of the level are shown first.
    var showsParameters = false
}
