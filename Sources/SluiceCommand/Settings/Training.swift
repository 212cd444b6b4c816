import ZstdCodec

/// How a dictionary is trained.
struct Training: Sendable {
    var trainer = DictionaryTrainer()
    /// Bytes of each sample; nil for whole files.
    var sampleSize: Int?
    /// Bytes of all samples together; nil for the default.
    var memoryLimit: UInt64?
}
