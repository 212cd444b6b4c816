import Sluice
import ZstdCodec

/// How content becomes frames; what is seldom set is in `Flag+Advanced`.
extension Flag {
    static let compressing = Group(
        title: "Compression",
        flags: [
            Flag(
                "level", .text("N", "a level", "9"),
                "Compression level 1-19 (default 3), written -1 to -19; --ultra allows 20-22.",
                manual: """
                    Levels below 1 are faster, as with --fast. Without the option the level is that of the variable \
                    ZSTD_CLEVEL.
                    """
            ) { request, value in
                if value.isShort {
                    request.level = try value.number()
                } else {
                    guard let level = Int(value.text) else { throw value.mistake("1 to 22 or a negative number") }
                    request.level = level
                }
                request.forget("fast")
            }
            .common("compression level, written -1 to -19 (default 3)")
            .zstd("same", spelled: "`-#`, `-1` to `-19`"),
            Flag("ultra", "Allow levels 20-22, which need more memory both ways.") { $0.allowsUltra = true }
                .common("allow levels 20 to 22")
                .zstd("same"),
            Flag("fast", .number("N", "a number from 1 on", "3").or("1"), "Faster than level 1: level -N (default 1).")
            { request, value in
                let number = try value.number()
                guard number > 0 else { throw value.mistake("a number from 1 on") }
                request.level = -number
                request.forget("level")
            }
            .common("faster than level 1")
            .zstd("same"),
            Flag(
                "max", "Strongest and slowest, as one frame; needs gigabytes of memory."
            ) { $0.settings.compression.isStrongest = true }
            .heeded(by: .frames)
            .zstd("as there", spelled: "`--max` (1.5.7)"),
            Flag(
                "long", .number("N", "a number from 10 to 31", "27").or("27"),
                "Use a window of 2^N bytes (default 27) in a single frame; with -d: accept one.",
                manual: """
                    Matches reach further back, which helps where the same data comes again after many megabytes.
                    """
            ) { request, value in
                let log = try value.number()
                guard log == 0 || (10...31).contains(log) else { throw value.mistake("a number from 10 to 31") }
                request.windowLog = log == 0 ? 27 : log
            }
            .heeded(by: .frames)
            .zstd(
                "same", "makes one frame, for its matches reach across the whole; with `-d` raises the limit of windows"
            ),
            Flag(
                "adapt", .text("min=N,max=N", "bounds of the level", "min=1,max=9").or(""),
                "Adapt the level to the speed of input and output, between 1 and 19 by default."
            ) { try $0.adapt($1) }
            .heeded(by: .parameters)
            .excludes("single-thread", because: "the level is chosen by workers", hint: "-T1 works")
            .excludes("max", because: "--max sets the highest level")
            .zstd(
                "same",
                "1 to 19 by default, for a hurry should not end compression; the level goes both ways within seconds, and is shown"
            ),
            Flag(
                "frame-size", .size("SIZE", "8M"),
                "Content of each frame (default: by level, 4 to 128 MiB).",
                manual: """
                    Smaller frames are decompressed in more places at once, and larger ones compress better. 1 KiB to \
                    1 GiB. In a single frame it is the size of the jobs that the frame is cut into. With --train it cuts \
                    the samples.
                    """
            ) { $0.frameSize = try $1.size() }
            .letter("B").aliases("block-size", "jobsize", "split")
            .zstd(
                "the size of frames",
                "a frame is a job; under 1 KiB or over 1 GiB the nearest of these is used, with a warning",
                spelled: "`-B#`, `--block-size=#`, `--jobsize=#`, `--split=#`"),
            Flag(
                switch: "single-frame", "Write one frame, for readers that stop after the first.",
                manual: """
                    It is the default under zstd's names, unless -B or --flush-interval is given.
                    """
            ) { $0.singleFrame = $1 }
            .heeded(by: .frames),
            Flag(
                "flush-interval", .text("SECONDS", "seconds", "5"),
                "End a frame when its first byte is this old; for live streams to standard output.",
                manual: """
                    With -o the file still gets its name only at the end. The first signal ends the input: what was \
                    read is written, and then the signal takes effect.
                    """
            ) { request, value in
                let seconds = try value.number(in: 0.01...86400, "seconds, 0.01 to 86400")
                request.settings.compression.flushInterval = .seconds(seconds)
            }
            .warns(without: .frames, "nothing is compressed")
            .excludes("single-frame", "long", because: "--flush-interval ends frames early, and there is only one"),
            Flag(
                "rsyncable", "End frames where the content says, so that rsync finds unchanged parts.",
                manual: """
                    A change then leaves most frames as they were.
                    """
            ) { $0.cutsByContent = true }
            .heeded(by: .parameters)
            .excludes("single-thread", because: "libzstd's workers make the cuts", hint: "-T1 works")
            .excludes("flush-interval", because: "either the content or the time ends frames")
            .zstd("same", "frames end where the content says; in one frame blocks do, as with zstd"),
            Flag(switch: "check", "End each frame with a checksum of its content (default).") {
                $0.settings.compression.options.hasChecksum = $1
            }
            .letter("C").zstd(
                "same", "with `-d` and `-t`, `--no-check` leaves checksums unverified", spelled: "`--[no-]check`, `-C`"),
        ])
}

extension Request {
    /// Takes bounds such as `min=1,max=9`.
    fileprivate mutating func adapt(_ value: FlagValue) throws(UsageError) {
        var bounds = adaptation ?? (nil, nil)
        defer { adaptation = bounds }
        guard value.bytes != nil else { return }
        let wanted = "bounds of the level, as in --adapt=min=1,max=9"
        for part in value.text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, sides[1].first != "+", let number = Int(sides[1]), number.magnitude <= UInt32.max
            else { throw value.mistake(wanted) }
            switch sides[0] {
            case "min": bounds.least = number
            case "max": bounds.most = number
            default: throw value.mistake(wanted)
            }
        }
    }
}
