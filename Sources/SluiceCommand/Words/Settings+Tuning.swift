import Sluice
import SystemPackage
import ZstdCodec

/// What is set of libzstd besides the level.
extension Settings {
    /// zstd's names in `--zstd=`, each with its short form.
    private static let names: [String: CompressionParameter] = [
        "windowLog": .windowLog, "wlog": .windowLog, "chainLog": .chainLog, "clog": .chainLog,
        "hashLog": .hashLog, "hlog": .hashLog, "searchLog": .searchLog, "slog": .searchLog,
        "minMatch": .minMatch, "mml": .minMatch, "targetLength": .targetLength, "tlen": .targetLength,
        "strategy": .strategy, "strat": .strategy, "overlapLog": .overlapLog, "ovlog": .overlapLog,
        "ldmHashLog": .ldmHashLog, "lhlog": .ldmHashLog, "ldmMinMatch": .ldmMinMatch, "lmml": .ldmMinMatch,
        "ldmBucketSizeLog": .ldmBucketSizeLog, "lblog": .ldmBucketSizeLog,
        "ldmHashRateLog": .ldmHashRateLog, "lhrlog": .ldmHashRateLog,
    ]
    /// What only long-distance matching looks at.
    private static let longParameters: [CompressionParameter] = [
        .ldmHashLog, .ldmMinMatch, .ldmBucketSizeLog, .ldmHashRateLog,
    ]

    mutating func take(_ options: TuningOptions) throws(UsageError) {
        compression.hasContentSize = options.contentSize
        isStrongest = options.isStrongest && verb.heeds.contains(.frames)
        isSingleFrame = isSingleFrame || isStrongest
        for words in options.zstd { try take(parameters: words) }
        // As with zstd, what is no bound is a mistake whatever is done.
        let bounds = options.adapt.isEmpty ? nil : try Self.adaptiveLevels(options.adapt)
        // 1 is on, 2 is off.
        if let finder = options.rowMatchFinder { compression.parameters[.useRowMatchFinder] = finder ? 1 : 2 }
        if let mode = options.compressLiterals { compression.parameters[.literalCompressionMode] = mode ? 1 : 2 }
        if let size = try Self.bytes(options.blockSize, for: "--target-compressed-block-size"), size > 0 {
            compression.parameters[.targetCBlockSize] = Int(clamping: size)
        }
        if options.showsParameters, verb is any Transfer, verb.activity.content == .output {
            throw UsageError("--show-default-cparams tells what compression does, and nothing is compressed")
        }
        showsParameters = options.showsParameters && verb.heeds.contains(.frames)
        guard verb.heeds.contains(.parameters) else { return }
        try take(rsyncable: options)
        if let bounds { try take(adaptation: bounds, options) }
        try Self.check(compression)
        warnOfParametersInVain()
    }

    private mutating func take(rsyncable options: TuningOptions) throws(UsageError) {
        guard options.rsyncable else { return }
        if !verb.heeds.contains(.frames) {
            return warnings.append("--rsyncable is ignored: what is measured has frames of equal size")
        }
        if options.singleThread { throw UsageError("--rsyncable does not go with --single-thread", hint: "-T1 does") }
        if flushInterval != nil {
            throw UsageError("--rsyncable ends frames where the content says, and --flush-interval when time is up")
        }
        compression.cutsByContent = true
    }

    /// Numbers such as `wlog=20,strat=6`.
    private mutating func take(parameters words: String) throws(UsageError) {
        for word in words.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let parameter = Self.names[String(parts[0])] else {
                throw UsageError(
                    "--zstd takes numbers by name, such as wlog=20,strat=6, not \(FilePath(words).printable)")
            }
            guard parts.count == 2, let number = ByteCount.parse(String(parts[1])), number <= UInt32.max else {
                throw UsageError("--zstd takes a number for \(parts[0]), such as \(parts[0])=\(parameter.example)")
            }
            compression.parameters[parameter] = Int(number)
        }
    }

    static func check(_ compression: CompressionOptions) throws(UsageError) {
        do throws(CodecFailure) {
            try compression.check()
        } catch {
            throw UsageError("\(error)", hint: "sluice --help says which options set numbers of libzstd")
        }
    }

    private mutating func warnOfParametersInVain() {
        let isSet = { [compression] (parameter: CompressionParameter) in compression.parameters[parameter] ?? 0 != 0 }
        if !isSingleFrame, isSet(.overlapLog) {
            warnings.append("overlapLog is ignored: it is for one frame, with --single-frame or --long")
        }
        let isLong = compression.longWindowLog != nil || isStrongest || patchSource != nil
        if !isLong, Self.longParameters.contains(where: isSet) {
            warnings.append("the numbers of long-distance matching are ignored without --long")
        }
    }
}

extension CompressionParameter {
    /// A value that makes sense, for a sentence.
    fileprivate var example: Int { bounds.map { ($0.lowerBound + min($0.upperBound, $0.lowerBound + 20)) / 2 } ?? 1 }
}
