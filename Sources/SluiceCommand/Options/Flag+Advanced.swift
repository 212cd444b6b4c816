import SluiceEngine

/// Options that are seldom needed.
extension Flag {
    static let advanced: [Flag] = [
        Flag(.zstd, .typed("NAME=N,...", "parameters", "wlog=20,strat=6")) {
            try $0.compression.options.parameters.take($1)
        }
        .help("Set libzstd parameters, such as wlog=20,strat=6.")
        .manual(
            """
            Names, in their short forms: wlog, clog, hlog, slog, mml, tlen, strat, ovlog, lhlog, lmml, lblog, \
            lhrlog. With -d and -t, wlog is the largest window to accept.
            """
        )
        .zstd(
            "passed to libzstd", "with `-d` and `-t` `wlog` is the largest window to accept, as there",
            spelled: "`--zstd=`"),
        Flag(.targetCompressedBlockSize, .size("SIZE", "2K")) {
            if $1 > 0 { $0.compression.options.parameters[.targetCBlockSize] = Int(clamping: $1) }
        }
        .help("Target size of a compressed block.")
        .zstd("passed to libzstd"),
        Flag(switch: .rowMatchFinder) {
            // 1 is on, 2 is off.
            $0.compression.options.parameters[.useRowMatchFinder] = $1 ? 1 : 2
        }
        .help("Use the row-based match finder at levels 5 to 12 (default: by level).")
        .zstd("passed to libzstd"),
        Flag(switch: .compressLiterals) {
            $0.compression.options.parameters[.literalCompressionMode] = $1 ? 1 : 2
        }
        .help("Compress literals (default: by level).")
        .zstd("passed to libzstd"),
        Flag(switch: .contentSize) { $0.compression.options.hasContentSize = $1 }
            .help("Store the size of the content in each frame, if known (default).")
            .zstd("same"),
        Flag(.showDefaultCparams) { $0.compression.showsParameters = true }
            .help("First show the parameters of the level for each file.")
            .zstd("same", "where libzstd tells them, through its experimental interface"),
        Flag(.read, .words(ReadingMode.self)) { $0.input.reading = $1 }
            .help("How a file is read: by Dispatch, by the workers, or auto (default)."),
        Flag(.singleCoreDecoding) { $0.decoding.splitsFrames = false }
            .help("Decode each frame on one core (default: a large one on several).")
            .manual(
                """
                Most compressed files are one frame. One of more than 8 MiB that has a checksum and needs no dictionary is \
                decoded on several cores, from files and pipes; where that fails, libzstd decides.
                """
            ),
        Flag(.generate, .words(Generated.self)) { $0.answer = .generate($1) }
            .help("Print completions, or the options for the manual or for docs/zstd-options.md."),
    ]
}

extension [CompressionParameter: Int] {
    /// The parameters that `--zstd=` sets, each with zstd's short form of its name.
    private static let names: [(String, CompressionParameter)] = [
        ("wlog", .windowLog), ("clog", .chainLog), ("hlog", .hashLog), ("slog", .searchLog), ("mml", .minMatch),
        ("tlen", .targetLength), ("strat", .strategy), ("ovlog", .overlapLog), ("lhlog", .ldmHashLog),
        ("lmml", .ldmMinMatch), ("lblog", .ldmBucketSizeLog), ("lhrlog", .ldmHashRateLog),
    ]

    /// Sets numbers such as `wlog=20,strat=6`.
    fileprivate mutating func take(_ typed: FlagValue) throws(Complaint) {
        for (name, value) in typed.pairs {
            guard let (_, parameter) = Self.names.first(where: { name == $0.0 || name == $0.1.description }) else {
                throw typed.mistake("parameters by name, such as wlog=20,strat=6")
            }
            guard let number = value.flatMap(ByteCount.parse), number <= UInt32.max else {
                throw .usage("--zstd takes a number for \(name), such as \(name)=\(parameter.example)")
            }
            self[parameter] = Int(number)
        }
    }
}

extension CompressionParameter {
    /// A typical value, for messages.
    fileprivate var example: Int {
        bounds.map { ($0.lowerBound + Swift.min($0.upperBound, $0.lowerBound + 20)) / 2 } ?? 1
    }
}
