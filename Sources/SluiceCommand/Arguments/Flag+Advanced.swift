import Sluice
import SystemPackage
import ZstdCodec

/// What is seldom needed.
extension Flag {
    static let advanced = Group(
        title: "Advanced",
        flags: [
            Flag(
                "zstd", .text("NAME=N,...", "parameters", "wlog=20,strat=6"),
                "Set libzstd parameters, such as wlog=20,strat=6.",
                manual: """
                    Names, in their short forms: wlog, clog, hlog, slog, mml, tlen, strat, ovlog, lhlog, lmml, lblog, \
                    lhrlog. With -d and -t, wlog is the largest window to accept.
                    """
            ) { try $0.settings.compression.options.parameters.take($1) }
            .zstd(
                "reaches libzstd", "with `-d` and `-t` `wlog` is the largest window to accept, as there",
                spelled: "`--zstd=`"),
            Flag(
                "target-compressed-block-size", .size("SIZE", "2K"), "Target size of a compressed block."
            ) { request, value in
                let size = try value.size()
                if size > 0 {
                    request.settings.compression.options.parameters[.targetCBlockSize] = Int(clamping: size)
                }
            }
            .zstd("reaches libzstd"),
            Flag(switch: "row-match-finder", "Use the row-based match finder at levels 5 to 12 (default: by level).") {
                request, value in
                // 1 is on, 2 is off.
                request.settings.compression.options.parameters[.useRowMatchFinder] = value ? 1 : 2
            }
            .zstd("reaches libzstd"),
            Flag(switch: "compress-literals", "Compress literals (default: by level).") {
                $0.settings.compression.options.parameters[.literalCompressionMode] = $1 ? 1 : 2
            }
            .zstd("reaches libzstd"),
            Flag(switch: "content-size", "Store the size of the content in each frame, if known (default).") {
                $0.settings.compression.options.hasContentSize = $1
            }
            .zstd("same"),
            Flag("show-default-cparams", "Show the parameters of the level for each file first.") {
                $0.settings.compression.showsParameters = true
            }
            .zstd("same", "where libzstd tells them, through its experimental interface"),
            Flag("read", .words(Reading.self), "How a file is read: by Dispatch, by the workers, or auto (default).") {
                $0.settings.input.reading = try $1.choice()
            },
            Flag(
                "single-core-decoding", "Decode each frame on one core; otherwise several share a large one.",
                manual: """
                    Most compressed files are one frame. One of more than 8 MiB with a checksum, in a file, is decoded on \
                    several cores; the content is compared with the checksum, and in any doubt libzstd decodes the frame \
                    again.
                    """
            ) { $0.settings.decoding.splitsFrames = false },
            Flag(
                "generate", .words({ Generated.allCases.map(\.rawValue) }),
                "Print completions, or the options for the manual or for docs/zstd-options.md."
            ) { $0.answer = .generate(try $1.choice()) }
            .answered(),
        ])
}

/// What is made from the declarations, for files of their own.
enum Generated: String, CaseIterable {
    case man
    case bash = "complete-bash"
    case zsh = "complete-zsh"
    case fish = "complete-fish"
    case zstdOptions = "zstd-options"
}

extension [CompressionParameter: Int] {
    /// zstd's names in `--zstd=`, each with its short form.
    private static let names: [(String, String, CompressionParameter)] = [
        ("windowLog", "wlog", .windowLog), ("chainLog", "clog", .chainLog), ("hashLog", "hlog", .hashLog),
        ("searchLog", "slog", .searchLog), ("minMatch", "mml", .minMatch), ("targetLength", "tlen", .targetLength),
        ("strategy", "strat", .strategy), ("overlapLog", "ovlog", .overlapLog), ("ldmHashLog", "lhlog", .ldmHashLog),
        ("ldmMinMatch", "lmml", .ldmMinMatch), ("ldmBucketSizeLog", "lblog", .ldmBucketSizeLog),
        ("ldmHashRateLog", "lhrlog", .ldmHashRateLog),
    ]

    /// Takes numbers such as `wlog=20,strat=6`.
    fileprivate mutating func take(_ value: FlagValue) throws(UsageError) {
        for word in value.text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let (_, _, parameter) = Self.names.first(where: { sides[0] == $0.0 || sides[0] == $0.1 }) else {
                throw value.mistake("parameters by name, such as wlog=20,strat=6")
            }
            guard sides.count == 2, let number = ByteCount.parse(String(sides[1])), number <= UInt32.max else {
                throw UsageError("--zstd takes a number for \(sides[0]), such as \(sides[0])=\(parameter.example)")
            }
            self[parameter] = Int(number)
        }
    }
}

extension CompressionParameter {
    /// A value that makes sense, for a sentence.
    fileprivate var example: Int {
        bounds.map { ($0.lowerBound + Swift.min($0.upperBound, $0.lowerBound + 20)) / 2 } ?? 1
    }
}
