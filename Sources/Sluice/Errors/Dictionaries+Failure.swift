// The failures of libzstd, as those of the library. A span's memory stays in place for the whole call.

extension CompressionDictionary {
    /// Digests a copy of a dictionary (`ZSTD_createCDict`).
    ///
    /// - Parameters:
    ///   - content: the result of `DictionaryTrainer`, or content like that of the frames; fewer than 8 bytes have no
    ///     effect.
    ///   - options: those of the contexts that will use it.
    /// - Throws: `dictionary` if it is damaged; `outOfMemory`.
    public convenience init(_ content: RawSpan, for options: CompressionOptions) throws(Failure) {
        do throws(CodecFailure) { try self.init(content.withUnsafeBytes { $0 }, for: options) } catch {
            throw .codec(error)
        }
    }
}

extension DecompressionDictionary {
    /// Digests a copy of a dictionary (`ZSTD_createDDict`).
    ///
    /// - Throws: `dictionary` if it is damaged; `outOfMemory`.
    public convenience init(_ content: RawSpan) throws(Failure) {
        do throws(CodecFailure) { try self.init(content.withUnsafeBytes { $0 }) } catch { throw .codec(error) }
    }
}

extension DictionaryTrainer {
    /// Trains a dictionary (`ZDICT_optimizeTrainFromBuffer_cover`, `ZDICT_trainFromBuffer_fastCover` and the like).
    ///
    /// - Returns: the dictionary, of at most `sizeLimit` bytes.
    /// - Throws: `invalidOption` if the samples are too few or too much alike, or a number is out of bounds;
    ///   `outOfMemory`.
    public func train(on samples: DictionarySamples) throws(Failure) -> [UInt8] {
        try codec(try makeDictionary(from: samples))
    }
}
