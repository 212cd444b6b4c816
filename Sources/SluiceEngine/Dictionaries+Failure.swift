// Uses of dictionaries that throw libzstd's failures as failures of the library.

extension CompressionDictionary {
    /// Digests a copy of a dictionary (`ZSTD_createCDict`).
    ///
    /// - Parameters:
    ///   - content: the result of `DictionaryTrainer`, or content like that of the frames; fewer than 8 bytes have no
    ///     effect.
    ///   - options: those of the contexts that will use it.
    /// - Throws: `dictionary` if it is damaged; `outOfMemory`.
    public convenience init(_ content: RawSpan, for options: CompressionOptions) throws(Failure) {
        do throws(CodecFailure) { try self.init(digesting: content, for: options) } catch {
            throw .codec(error)
        }
    }
}

extension DecompressionDictionary {
    /// Digests a copy of a dictionary (`ZSTD_createDDict`).
    ///
    /// - Parameter content: the same bytes that the `CompressionDictionary` was made of.
    /// - Throws: `dictionary` if it is damaged; `outOfMemory`.
    public convenience init(_ content: RawSpan) throws(Failure) {
        do throws(CodecFailure) { try self.init(digesting: content) } catch { throw .codec(error) }
    }
}

extension DictionaryTrainer {
    /// Trains a dictionary (`ZDICT_optimizeTrainFromBuffer_cover`, `ZDICT_trainFromBuffer_fastCover` and the like).
    ///
    /// - Parameter samples: at least 5, of content like that to be compressed.
    /// - Returns: the dictionary, of at most `sizeLimit` bytes.
    /// - Throws: `invalidOption` if the samples are too few or too much alike, or a number is out of bounds;
    ///   `outOfMemory`.
    public func train(on samples: DictionarySamples) throws(Failure) -> [UInt8] {
        try codec(makeDictionary(from: samples))
    }
}
