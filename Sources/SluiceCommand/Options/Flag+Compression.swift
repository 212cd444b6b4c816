import ZstdCodec

/// Options for compression; `Flag+Advanced` has those that are seldom set.
extension Flag {
    static let compressing: [Flag] = [
        Flag(.level, .typed("N", "a level", "9")) { settings, typed in
            guard let level = try typed.isShort ? typed.number() : Int(typed.text) else {
                throw typed.mistake("1 to 22 or a negative number")
            }
            settings.compression.options.level = level
        }
        .overrides(.fast)
        .help("Compression level 1-19 (default 3), written -1 to -19; --ultra allows 20-22.")
        .manual(
            """
            Negative levels are faster than level 1, as with --fast. The environment variable ZSTD_CLEVEL sets the \
            default.
            """
        )
        .common("compression level, written -1 to -19 (default 3)")
        .zstd("same", spelled: "`-#`, `-1` to `-19`"),
        Flag(.ultra)
            .help("Allow levels 20-22, which need more memory, also to decompress.")
            .common("allow levels 20 to 22")
            .zstd("same"),
        Flag(.fast, .number("N", "a positive number", "3").within(1...Int.max, "a positive number").or("1")) {
            $0.compression.options.level = -$1
        }
        .overrides(.level)
        .help("Faster than level 1: level -N (default 1).")
        .common("faster than level 1")
        .zstd("same"),
        Flag(.max) { $0.compression.isStrongest = true }
            .help("Strongest and slowest compression, in one frame; needs gigabytes of memory.")
            .applies(to: .frames)
            .zstd("as there", spelled: "`--max` (1.5.7)"),
        Flag(.long, .windowLog.or("27")) { $0.compression.options.longWindowLog = $1 }
            .help(
                "Use a window of 2^N bytes (default 27) in a single frame; with -d: accept windows of up to that size."
            )
            .manual("Matches reach further back, which helps where data repeats after many megabytes.")
            .applies(to: .frames)
            .zstd(
                "same",
                "makes one frame, because matches reach across the whole input; with `-d`, windows of up to that size are accepted"
            ),
        Flag(.adapt, .typed("min=N,max=N", "bounds of the level", "min=1,max=9").or("")) {
            try $0.compression.adapt($1)
        }
        .help("Adapt the level to the speed of input and output, between 1 and 19 by default.")
        .applies(to: .parameters)
        .excludes(.singleThread, because: "the level is chosen by workers", hint: "-T1 works")
        .excludes(.max, because: "--max sets the highest level")
        .zstd(
            "same",
            "1 to 19 by default, so that fast input never turns compression off; the level goes up and down within seconds, and is shown"
        ),
        Flag(.frameSize, .size("SIZE", "8M")) {
            $0.compression.options.frameSize = $1 > 0 ? Int(clamping: $1) : nil
        }
        .letter("B").aliases("block-size", "jobsize", "split")
        .help("Content of each frame (default: by level, 4 to 128 MiB).")
        .manual(
            """
            Smaller frames decompress with more parallelism, and larger ones compress better. 1 KiB to 1 GiB. For a \
            single frame it is the size of the jobs that make the frame. With --train samples are cut to this size.
            """
        )
        .zstd(
            "the size of frames",
            "a frame is a job; under 1 KiB or over 1 GiB the nearest of these is used, with a warning",
            spelled: "`-B#`, `--block-size=#`, `--jobsize=#`, `--split=#`"),
        Flag(switch: .singleFrame) { $0.compression.isSingleFrame = $1 }
            .help("Write one frame, for readers that stop after the first.")
            .manual("It is the default under zstd's names, unless -B or --flush-interval is given.")
            .applies(to: .frames),
        Flag(.flushInterval, .number("SECONDS", "seconds, 0.01 to 86400", "5", in: 0.01...86400)) {
            $0.compression.flushInterval = .seconds($1)
        }
        .help("End a frame when its first byte is this old; for live streams to standard output.")
        .manual(
            """
            0.01 to 86400 seconds. With -o the file still gets its name only at the end. The first signal ends the \
            input: data already read is written, and then the signal takes effect.
            """
        )
        .warns(without: .frames, "no compressed data is written")
        .excludes(.singleFrame, .long, because: "--flush-interval ends frames early, but there is only one"),
        Flag(.rsyncable) { $0.compression.options.cutsByContent = true }
            .help("Let the content decide where frames end, so that rsync finds unchanged parts.")
            .manual("A change then leaves most frames as they were.")
            .applies(to: .parameters)
            .excludes(.singleThread, because: "libzstd's workers make the cuts", hint: "-T1 works")
            .excludes(.flushInterval, because: "either the content or the time ends frames")
            .zstd("same", "the content decides where frames end; in a single frame, where blocks end, as with zstd"),
        Flag(.lines, Argument.words { ["newline", "0"] }.or("newline")) {
            $0.compression.lineEnd = $1 == "0" ? 0 : UInt8(ascii: "\n")
        }
        .help("End frames at line ends, so that each frame and each --part has whole lines; =0: at NUL bytes.")
        .manual(
            """
            A frame ends after the first line end at or after each multiple of the frame size. A line that makes a frame \
            larger than twice that size is an error. Any number of jobs then process a log without cutting a line: \
            sluice -d --part=K/N FILE.zst writes whole lines to standard output with -c.
            """
        )
        .warns(without: .records, "no compressed data is written")
        .excludes(
            .singleFrame, .long, .max, .patchFrom, .flushInterval, .rsyncable, .members, .align, .resume,
            because: "line ends decide where frames end", when: .frames
        ),
        Flag(switch: .check) { $0.compression.options.hasChecksum = $1 }.letter("C")
            .help("End each frame with a checksum of its content (default).")
            .zstd(
                "same", "with `-d` and `-t`, `--no-check` leaves checksums unverified", spelled: "`--[no-]check`, `-C`"),
    ]
}

extension Argument<Int> {
    fileprivate static var windowLog: Self {
        number("N", "a number from 10 to 31", "27").map { $0 == 0 ? 27 : $0 }
            .within(10...31, "a number from 10 to 31")
    }
}

extension CompressionSettings {
    /// Sets bounds such as `min=1,max=9`.
    fileprivate mutating func adapt(_ typed: FlagValue) throws(Complaint) {
        var bounds = adaptation ?? (nil, nil)
        defer { adaptation = bounds }
        guard typed.bytes != nil else { return }
        for (name, value) in typed.pairs {
            guard let value, value.first != "+", let number = Int(value), number.magnitude <= UInt32.max,
                ["min", "max"].contains(name)
            else { throw typed.mistake("bounds of the level, as in --adapt=min=1,max=9") }
            if name == "min" { bounds.least = number } else { bounds.most = number }
        }
    }
}
