internal import CZstd

/// Trains dictionaries on samples, as `zstd --train` does.
///
/// A value of 0 means libzstd's default; for the sizes of segments and matches, it then tries several and uses the
/// best. The letters in the comments are the fields of `ZDICT_fastCover_params_t` in zdict.h.
///
///     var trainer = DictionaryTrainer(.cover)
///     trainer.sizeLimit = 16 << 10
///     let dictionary = try trainer.train(on: samples)
public struct DictionaryTrainer: Equatable, Sendable {
    /// How frequent content is found.
    ///
    ///     let methods: [DictionaryTrainer.Method] = [.cover, .fastCover]
    ///     let dictionaries = try methods.map { try DictionaryTrainer($0).train(on: samples) }
    public struct Method: Hashable, Sendable {
        package enum Name { case cover, fastCover, legacy }

        package let name: Name

        /// Exact, with nine bytes of memory for each byte of the samples (`ZDICT_trainFromBuffer_cover`).
        public static var cover: Method { Method(name: .cover) }
        /// Approximate, and faster (`ZDICT_trainFromBuffer_fastCover`).
        public static var fastCover: Method { Method(name: .fastCover) }
        /// The method that zstd used before the other two (`ZDICT_trainFromBuffer_legacy`).
        public static var legacy: Method { Method(name: .legacy) }
    }

    /// The smallest number of samples that zstd trains on.
    package static let fewestSamples = 5

    /// How frequent content is found.
    public var method: Method
    /// `k`: the size of the segments taken from samples, in bytes.
    public var segmentSize = 0
    /// `d`: the size of the strings whose occurrences are counted, in bytes; 6 or 8 with `fastCover`.
    public var matchSize = 8
    /// `steps`: the number of segment sizes to try; 0 means 40.
    public var steps = 4
    /// `splitPoint`: the fraction of samples to train on, 0 to 1; the others test the dictionary. 0 means 0.75 with
    /// `fastCover`, otherwise 1.
    public var split = 0.0
    /// `f`: the binary logarithm of the size of the frequency table, for `fastCover`; 0 means 20.
    public var frequencyLog = 0
    /// `accel`: 1, the most accurate, to 10, the fastest, for `fastCover`; 0 means 1.
    public var acceleration = 0
    /// `selectivityLevel`: how rare selected content may be, for `legacy`: the larger, the rarer; 0 means 9.
    public var selectivity = 0
    /// `shrinkDictMaxRegression`: by how many percent a smaller dictionary may be worse than the largest and still be
    /// chosen; nil to choose the largest.
    public var shrinkRegression: Int?
    /// `compressionLevel`: the level that the dictionary is intended for.
    public var level = 3
    /// `dictID`: the identifier of the dictionary; 0 to derive it from the content.
    public var identifier: UInt32 = 0
    /// The largest size of the dictionary in bytes.
    public var sizeLimit = 110 << 10
    /// `nbThreads`: the number of threads that try segment sizes, at least 1.
    public var threads = 1

    /// A trainer with the defaults of zstd.
    public init(_ method: Method = .fastCover) {
        self.method = method
    }

    /// Trains a dictionary (`ZDICT_optimizeTrainFromBuffer_cover`, `ZDICT_trainFromBuffer_fastCover` and the like).
    ///
    /// - Throws: `training` if the samples are too few or too much alike, or a number is out of bounds; `outOfMemory`.
    package func makeDictionary(from samples: DictionarySamples) throws(CodecFailure) -> [UInt8] {
        guard samples.count >= Self.fewestSamples else {
            throw .training("too few samples (\(samples.count) given, at least \(Self.fewestSamples) needed)")
        }
        // Larger dictionaries can't be used.
        let limit = min(max(0, sizeLimit), CompressionDictionary.sizeLimit)
        var code = 0
        let (bytes, sizes, count) = (samples.bytes, samples.sizes, UInt32(samples.count))
        var (cover, fastCover) = (coverParameters, parameters)
        let legacy = ZDICT_legacy_params_t(selectivityLevel: UInt32(clamping: selectivity), zParams: common)
        // Whether both sizes are given, so that there is nothing to try.
        let isFixed = segmentSize != 0 && matchSize != 0
        let dictionary = [UInt8](unsafeUninitializedCapacity: limit) { memory, used in
            let start = memory.baseAddress
            code =
                switch (method.name, isFixed) {
                case (.cover, true): ZDICT_trainFromBuffer_cover(start, limit, bytes, sizes, count, cover)
                case (.cover, false): ZDICT_optimizeTrainFromBuffer_cover(start, limit, bytes, sizes, count, &cover)
                case (.fastCover, true): ZDICT_trainFromBuffer_fastCover(start, limit, bytes, sizes, count, fastCover)
                case (.fastCover, false):
                    ZDICT_optimizeTrainFromBuffer_fastCover(start, limit, bytes, sizes, count, &fastCover)
                case (.legacy, _): ZDICT_trainFromBuffer_legacy(start, limit, bytes, sizes, count, legacy)
                }
            used = ZDICT_isError(code) == 0 ? code : 0
        }
        guard ZDICT_isError(code) != 0 else { return dictionary }
        switch ZSTD_getErrorCode(code) {
        case ZSTD_error_memory_allocation: throw .outOfMemory
        case ZSTD_error_srcSize_wrong: throw .training("the samples are too few or too small")
        case ZSTD_error_dstSize_tooSmall: throw .training("it can't be as small as \(limit) bytes")
        case ZSTD_error_parameter_outOfBound: throw .training("a training parameter is out of range")
        default: throw .training("libzstd says: \(String(cString: ZDICT_getErrorName(code)))")
        }
    }

    /// The parameters for `fastCover`: those for `cover`, and two more.
    private var parameters: ZDICT_fastCover_params_t {
        ZDICT_fastCover_params_t(
            k: UInt32(clamping: segmentSize), d: UInt32(clamping: matchSize), f: UInt32(clamping: frequencyLog),
            steps: UInt32(clamping: steps), nbThreads: UInt32(clamping: max(1, threads)), splitPoint: split,
            accel: UInt32(clamping: acceleration), shrinkDict: shrinkRegression == nil ? 0 : 1,
            shrinkDictMaxRegression: UInt32(clamping: shrinkRegression ?? 0), zParams: common)
    }

    private var coverParameters: ZDICT_cover_params_t {
        let numbers = parameters
        return ZDICT_cover_params_t(
            k: numbers.k, d: numbers.d, steps: numbers.steps, nbThreads: numbers.nbThreads,
            splitPoint: numbers.splitPoint, shrinkDict: numbers.shrinkDict,
            shrinkDictMaxRegression: numbers.shrinkDictMaxRegression, zParams: numbers.zParams)
    }

    /// The parameters that all methods share. libzstd prints nothing.
    private var common: ZDICT_params_t {
        ZDICT_params_t(compressionLevel: Int32(clamping: level), notificationLevel: 0, dictID: identifier)
    }
}

/// Samples of typical content, on which a dictionary is trained.
///
///     var samples = DictionarySamples()
///     for record in records where !samples.append(record.span.bytes) { break }
///     let dictionary = try DictionaryTrainer().train(on: samples)
///
/// Empty content is not an error, and adds no sample.
public struct DictionarySamples: Sendable {
    /// The largest size of a sample in bytes; a dictionary only helps at the start of content.
    public static let sampleLimit = 128 << 10
    /// The largest size of all samples in bytes.
    public static let totalLimit = (2 << 30) - 1

    private(set) var bytes: [UInt8] = []
    private(set) var sizes: [Int] = []

    /// Creates an empty set of samples.
    public init() {}

    /// The number of samples; training needs 5 or more.
    public var count: Int { sizes.count }
    /// The total size of the samples in bytes; a hundred times the size of the dictionary is a good guideline.
    public var byteCount: Int { bytes.count }

    /// Adds content as one sample, or split into several.
    ///
    /// - Parameters:
    ///   - content: truncated to `sampleLimit` if it is one sample.
    ///   - blockSize: the size of each sample except the last in bytes, from 1 to `sampleLimit`; nil for one sample.
    /// - Returns: whether all samples fitted.
    public mutating func append(_ content: RawSpan, blockSize: Int? = nil) -> Bool {
        content.withUnsafeBytes { content in
            var rest = content[...]
            repeat {
                let sample = rest.prefix(min(max(1, blockSize ?? Self.sampleLimit), Self.sampleLimit))
                if sample.isEmpty { return true }
                guard sample.count <= Self.totalLimit - bytes.count else { return false }
                bytes += sample
                sizes.append(sample.count)
                rest = rest.dropFirst(sample.count)
            } while blockSize != nil
            return true
        }
    }
}
