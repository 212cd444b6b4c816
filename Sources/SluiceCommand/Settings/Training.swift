import ZstdCodec

/// How a dictionary is made.
struct Training: Sendable {
    var trainer = DictionaryTrainer()
    /// Bytes of each sample, if files are cut.
    var sampleSize: Int?
    /// Bytes that all samples may have.
    var memoryLimit: UInt64?
}
