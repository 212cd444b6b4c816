import SluiceEngine
import SystemPackage
import Testing
import ZstdCodec

@testable import SluiceCommand

/// What the words mean.
@Suite struct SettingsTests {
    private func settings(_ words: String..., environment: [String: String] = [:]) throws -> Settings {
        try settings(of: words, environment: environment)
    }

    private func settings(
        of words: [String], environment: [String: String] = [:], memory: UInt64 = .max
    ) throws -> Settings {
        try Request(words.map { Array($0.utf8) }, environment: { environment[$0] }).settled(memory: memory)
    }

    /// In a container of 256 MiB what compresses needs some, too.
    @Test func `the parts of an object take a quarter of the memory that there is`() throws {
        let settings = try settings("-o", "s3://bucket/key", "file")
        #expect(try settings.partPlan(of: nil, available: nil).most == 256 << 20)
        #expect(try settings.partPlan(of: nil, available: 240 << 20).most == 60 << 20)
        #expect(try settings.partPlan(of: 1 << 30, available: 1 << 20).most == 5 << 20)
        // What is decompressed may become anything, unless the options say how much.
        for option in ["--stream-size=4096G", "--size-hint=4096G"] {
            let decoding = try self.settings("-d", option, "-o", "s3://bucket/key", "file.zst")
            #expect(try decoding.partPlan(of: 1, available: nil).capacity > 4 << 40)
        }
        // The share of parity finds room in the parts.
        let parity = try self.settings("--parity=50", "-o", "s3://bucket/key", "file")
        #expect(try parity.partPlan(of: 3 << 40, available: nil).capacity >= 4 << 40 + 1 << 39)
        let limited = try self.settings("-M100M", "-o", "s3://bucket/key", "file")
        #expect(try limited.partPlan(of: nil, available: .max).most == 25 << 20)
        let memory = MemoryLimit(100 << 20)
        memory.reserve(25 << 20)
        #expect(memory.limit?.bytes == 75 << 20)
        #expect(memory.limit?.words == "-M allows 100 MiB")
    }

    @Test func `without words there are defaults`() throws {
        let settings = try settings()
        #expect(settings.command is Compress)
        #expect(settings.compression.options.level == 3)
        #expect(settings.compression.options.hasChecksum)
        #expect(!settings.compression.isSingleFrame)
        #expect(settings.compression.flushInterval == nil)
        #expect(settings.decoding.windowLimit == 128 << 20)
        #expect(settings.output.destination == .derived)
        #expect(!settings.isForced)
        #expect(!settings.output.isRemovalAsked)
        #expect(settings.output.isSynced)
        #expect(settings.limits.threads >= 1)
        #expect(settings.warnings.isEmpty)
    }

    @Test func `the last mode wins, and the last word about the source`() throws {
        #expect(try settings("-d", "-z").command is Compress)
        #expect(try settings("-z", "-d", "-t").command is Check)
        #expect(try settings("-tl").command is List)
        #expect(try settings("--rm").output.isRemovalAsked)
        #expect(try !settings("--rm", "-k").output.isRemovalAsked)
        #expect(try settings("-k", "--rm").output.isRemovalAsked)
        #expect(try !settings("--no-sync").output.isSynced)
        #expect(try settings("--no-sandbox", "--sandbox").limits.isSandboxed)
        #expect(try !settings("--no-sandbox").limits.isSandboxed)
        #expect(try !settings("--no-check").compression.options.hasChecksum)
        #expect(try settings("--no-check", "-C").compression.options.hasChecksum)
        #expect(try settings("-o", "out").output.destination == .path("out"))
        #expect(try settings("-c").output.destination == .standardOutput)
    }

    @Test(arguments: [
        ("-1", 1), ("-19", 19), ("-0", 3), ("--fast", -1), ("--fast=100", -100), ("-20", 19), ("-99", 19),
        ("--fast=999999999", CompressionOptions.levels.lowerBound),
    ])
    func `levels are those of zstd`(_ word: String, _ level: Int) throws {
        #expect(try settings(word).compression.options.level == level)
    }

    @Test(
        arguments: [
            (["-3"], 4 << 20), (["-1"], 2 << 20), (["-19"], 16 << 20), (["-20", "--ultra"], 64 << 20),
            (["-B3M"], 3 << 20),
        ] as [([String], Int)])
    func `frames of members are half as large`(words: [String], frameSize: Int) throws {
        let options = try settings(of: words + ["--members"]).compression.options
        #expect(options.frameSize == frameSize)
        #expect(options.parameters.isEmpty)
    }

    @Test func `forced, what is in no format passes a filter only`() throws {
        for (words, operands, passes) in [
            (["-df"], ["-"], true), (["-df"], ["a"], false), (["-dcf"], ["a"], true), (["-d"], ["-"], false),
        ] as [([String], [FilePath], Bool)] {
            let settings = try settings(of: words + operands.map(\.string))
            #expect(settings.decoding.passesForeign == passes)
        }
    }

    @Test func `a size of 0 is none`() throws {
        #expect(try settings("--stream-size=0").input.streamSize == nil)
        #expect(try settings("--stream-size=20Ki").input.streamSize == 20480)
    }

    @Test func `levels above 19 want to be asked for`() throws {
        #expect(try settings("-20").warnings.count == 1)
        #expect(try settings("--ultra", "-22").compression.options.level == 22)
        #expect(try settings("-22", "--ultra").warnings.isEmpty)
        #expect(try settings("--ultra", "-23").compression.options.level == 22)
        #expect(try settings("--ultra", "-23").warnings.count == 1)
    }

    @Test(arguments: [("1", 1), ("19", 19), ("-5", -5), ("+5", 5), ("0", 3), ("25", 19)])
    func `the environment gives a level`(_ value: String, _ level: Int) throws {
        #expect(try settings(environment: ["ZSTD_CLEVEL": value]).compression.options.level == level)
        #expect(try settings("-7", environment: ["ZSTD_CLEVEL": value]).compression.options.level == 7)
    }

    @Test(arguments: ["", "much", "3x", "1.5", " 3", "99999999999999999999"])
    func `a bad level in the environment is a warning`(_ value: String) throws {
        let settings = try settings(environment: ["ZSTD_CLEVEL": value])
        #expect(settings.compression.options.level == 3)
        #expect(settings.warnings.count == 1)
    }

    @Test(arguments: ["much", "-4294967296", "4294967296"])
    func `a bad value in the environment is a warning where another one counts, too`(_ value: String) throws {
        let environment = ["ZSTD_CLEVEL": value, "ZSTD_NBTHREADS": value]
        for words in [["-9", "-T2"], ["-d"], ["-t"]] {
            let settings = try settings(of: words, environment: environment)
            #expect(settings.warnings.count == 2)
            #expect(settings.warnings.allSatisfy { $0.contains("=\(value)") })
        }
    }

    @Test(arguments: [
        (["--buffer=2G"], 1), (["--buffer=1G"], 0), (["--buffer-start=50"], 1), (["--buffer-start=0"], 0),
        (["--buffer=1M", "--buffer-start=50"], 0), (["--buffer=2G", "--buffer-start=50"], 1),
    ])
    func `a buffer that is too large for a machine of 1 GiB, or missing, is a warning`(
        _ words: [String], _ count: Int
    ) throws {
        #expect(try settings(of: words, memory: 1 << 30).warnings.count == count)
        #expect(try #require(Machine.memory) > 1 << 20)
    }

    @Test(arguments: [
        (["--flush-interval=1"], "file", 1), (["--flush-interval=1"], "-", 0),
        (["--flush-interval=1", "-c"], "file", 0),
        (["--flush-interval=1", "-o", "out"], "-", 1), (["--flush-interval=1", "-o", "/dev/null"], "-", 0),
        (["--flush-interval=1", "-d"], "file", 1), ([], "file", 0),
    ])
    func `ending frames early is for standard output`(_ words: [String], _ operand: String, _ count: Int) throws {
        #expect(try settings(of: words + [operand]).allWarnings.count == count)
    }

    @Test func `the environment gives a number of threads`() throws {
        #expect(try settings(environment: ["ZSTD_NBTHREADS": "7"]).limits.threads == 7)
        #expect(try settings("-T2", environment: ["ZSTD_NBTHREADS": "7"]).limits.threads == 2)
        #expect(try settings("--single-thread", environment: ["ZSTD_NBTHREADS": "7"]).limits.threads == 1)
        #expect(try settings("-T300").limits.threads == 300)
        #expect(try settings("-T9999").limits.threads == 1024)
        #expect(try settings("-T9999").warnings == ["9999 threads are too many: using 1024"])
        #expect(try settings(environment: ["ZSTD_NBTHREADS": "300"]).limits.threads == 300)
        let all = try settings().limits.threads
        #expect(try settings("-T0").limits.threads == all)
        for value in ["", "-1", "x", "+5", "4294967296"] {
            let settings = try settings(environment: ["ZSTD_NBTHREADS": value])
            #expect(settings.limits.threads == all)
            #expect(settings.warnings.count == 1)
        }
    }

    @Test(
        arguments: [
            (["-M64MB"], 64 << 20), (["-M0"], 128 << 20), (["--long=31"], 1 << 31), (["--long"], 128 << 20),
            (["-M1GB", "--long=27"], 1 << 30), (["--memlimit=4096"], 4096), (["-M1MB", "--long=30"], 1 << 30),
            (["-M4G"], 4 << 30), (["--memory=8G"], 8 << 30),
        ] as [([String], UInt64)])
    func `the window limit is the larger that was given`(_ words: [String], _ limit: UInt64) throws {
        #expect(try settings(of: ["-d"] + words).decoding.windowLimit == limit)
    }

    @Test(arguments: [("28", 1 << 28), ("31", 1 << 31), ("10", 1 << 10), ("0", 128 << 20)] as [(String, UInt64)])
    func `a window of --zstd is one to accept, also if --long says another`(_ log: String, _ limit: UInt64) throws {
        for mode in ["-d", "-t"] {
            #expect(try settings(mode, "--zstd=wlog=\(log)").decoding.windowLimit == limit)
            if log != "0" {
                #expect(try settings(mode, "--long=29", "--zstd=wlog=\(log)").decoding.windowLimit == limit)
            }
        }
    }

    @Test(arguments: ["4G", "8G", "17179869184"])
    func `the memory of a run may be over 32 bits`(_ size: String) throws {
        #expect(try settings("-M" + size).limits.memory == ByteCount.parse(size))
        #expect(try settings("--memory=" + size).limits.memory == ByteCount.parse(size))
    }

    @Test(arguments: [("1", 1 << 10), ("1000", 1 << 10), ("2G", 1 << 30), ("8G", 1 << 30)])
    func `a frame size that is too small or too large means the nearest, with a warning`(
        _ size: String, _ meant: Int
    ) throws {
        let settings = try settings("-B" + size)
        #expect(settings.compression.options.effectiveFrameSize == meant)
        #expect(settings.warnings.count { $0.hasPrefix("-B\(size) is too ") } == 1)
    }

    @Test func `frame sizes and intervals are as given`() throws {
        #expect(try settings("-B8M").compression.options.effectiveFrameSize == 8 << 20)
        #expect(
            try settings("-B0").compression.options.effectiveFrameSize
                == settings().compression.options.effectiveFrameSize)
        #expect(try settings("--flush-interval=0.5").compression.flushInterval == .milliseconds(500))
        #expect(try settings("--stream-size", "10M").input.streamSize == 10 << 20)
        #expect(try settings("--long=25").compression.isSingleFrame)
        #expect(try settings("--single-frame").compression.isSingleFrame)
    }

    @Test(arguments: [
        ["--memory="], ["-M99999999999999999999"], ["--long=9"], ["--long=32"],
        ["--flush-interval=0"],
        ["--flush-interval=-1"], ["--flush-interval=1e9"], ["--flush-interval=nan"], ["--stream-size=1.5"],
        ["--single-frame", "--flush-interval=1"], ["--long", "--flush-interval=1"], ["--format=gzip"],
        ["-d", "--format=lzma", "-z"], ["-d", "--format=bzip2"], ["--format="],
        ["-b", "--format=gzip"], ["-b", "-d", "--format=xz"],
    ])
    func `values out of range are errors`(_ words: [String]) throws {
        #expect(throws: Complaint.self) { try settings(of: words) }
    }

    @Test(arguments: [["--format=zstd"], ["-d", "--format=gzip"], ["-t", "--format=lz4"], ["--format=xz", "-d"]])
    func `the format that is written is zstd, and to read any may be said`(_ words: [String]) throws {
        #expect(throws: Never.self) { try settings(of: words) }
    }

    @Test(arguments: ["-T", "-B", "-M", "-e", "-i", "--adapt="])
    func `what is cut short or not here is said in one sentence`(_ word: String) {
        #expect(throws: Complaint.self) { try settings(word, "4") }
    }

    @Test(
        arguments: [
            (["--adapt"], 3, 1...19), (["--adapt=min=5"], 5, 5...19), (["--adapt=max=2"], 2, 1...2),
            (["--adapt=min=1,max=9", "-12"], 9, 1...9), (["--adapt=min=4,min=6", "--adapt", "-1"], 6, 6...19),
            (["--adapt=max=22"], 3, 1...22), (["--adapt=min=21"], 21, 21...22), (["--adapt=max=99"], 3, 1...22),
            (["--adapt=min=-5"], 3, -5...19), (["--adapt=min=0,max=7"], 3, 1...7),
            (["--adapt=min=-7,max=-3"], -3, -7 ... -3),
        ] as [([String], Int, ClosedRange<Int>)])
    func `a level that adapts has bounds, and begins where the level is that was said`(
        _ words: [String], _ level: Int, _ bounds: ClosedRange<Int>
    ) throws {
        let settings = try settings(of: words)
        #expect(settings.compression.options.adaptiveLevels == bounds)
        #expect(settings.compression.options.level == level)
        #expect(settings.compression.options.effectiveFrameSize == 2 << 20)
    }

    @Test(arguments: [
        ["--adapt=min=9,max=1"], ["--adapt=min=25"], ["--adapt=max=-200000"], ["--adapt=min=1,max=2,"],
        ["--adapt=min=1K"], ["--adapt=min="], ["--adapt=min=99999999999"], ["--adapt=free=1"], ["--adapt", "--max"],
        ["--adapt", "--single-thread"], ["--rsyncable", "--single-thread"], ["--rsyncable", "--flush-interval=1"],
        ["-t", "--adapt=min=9,max=1"],
    ])
    func `what a level can not adapt to, and what does not go together, is refused`(_ words: [String]) throws {
        #expect(throws: Complaint.self) { try settings(of: words) }
    }

    @Test(arguments: ["--no-name", "-n", "--asyncio"])
    func `what needs nothing done is accepted`(_ word: String) throws {
        #expect(try settings(word).warnings.isEmpty)
    }

    @Test(arguments: [
        "--threads=x", "--level=", "--long=x", "--flush-interval=soon", "--nothing", "--threads=99999999999999999999",
    ])
    func `values of another kind are errors`(_ word: String) {
        #expect(throws: Complaint.self) { try settings(word) }
    }

    @Test func `numbers of libzstd have zstd's names, and the last one holds`() throws {
        let words = "--zstd=wlog=20,clog=21,hlog=19,slog=6,mml=3,tlen=48,strat=7"
        #expect(
            try settings(words, "--zstd=strategy=9").compression.options.parameters == [
                .windowLog: 20, .chainLog: 21, .hashLog: 19, .searchLog: 6, .minMatch: 3, .targetLength: 48,
                .strategy: 9,
            ])
        let more = "--zstd=overlapLog=9,ldmHashLog=20,lmml=64,lblog=3,lhrlog=4"
        #expect(
            try settings(more, "--long", "-B1M").compression.options.parameters == [
                .overlapLog: 9, .ldmHashLog: 20, .ldmMinMatch: 64, .ldmBucketSizeLog: 3, .ldmHashRateLog: 4,
                .jobSize: 1 << 20,
            ])
        let flags = ["--no-row-match-finder", "--compress-literals", "--target-compressed-block-size=2K"]
        #expect(
            try settings(flags[0], flags[1], flags[2]).compression.options.parameters == [
                .useRowMatchFinder: 2, .literalCompressionMode: 1, .targetCBlockSize: 2048,
            ])
    }

    @Test(arguments: [
        "--zstd=wlog", "--zstd=wlog=", "--zstd=wlog=17,", "--zstd=wlog=x", "--zstd=wlog=9",
        "--zstd=strat=10",
        "--zstd=bogus=1", "--zstd=mml=8", "--target-compressed-block-size=1M",
    ])
    func `numbers that libzstd does not take are refused, and not looked at where nothing is compressed`(
        _ word: String
    ) throws {
        #expect(throws: Complaint.self) { try settings(word) }
        if word.hasSuffix("=10") { #expect(throws: Never.self) { try settings(word, "-d") } }
        // A window is one to accept then.
        if word.hasSuffix("=9") {
            for mode in ["-d", "-t"] { #expect(throws: Complaint.self) { try settings(word, mode) } }
            for mode in ["-l", "--train"] { #expect(throws: Never.self) { try settings(word, mode) } }
        }
    }

    @Test func `what is set in vain is said`() throws {
        #expect(try settings("--zstd=ovlog=3").warnings.count == 1)
        #expect(try settings("--zstd=ovlog=3", "--long").warnings.isEmpty)
        #expect(try settings("--zstd=lmml=64").warnings.count == 1)
        #expect(try settings("--zstd=lmml=64", "--patch-from=x").warnings.isEmpty)
        #expect(try settings("--maxdict=4K").warnings.count == 1)
        #expect(try settings("--copy", "-D", "x").warnings.count == 1)
        #expect(try settings("--train", "--rm", "x").warnings.count == 1)
    }

    @Test func `a trainer is told its numbers`() throws {
        let strong = try settings("--train-cover=k=200,d=6,steps=5,split=80,shrink=2", "-19")
        let cover = strong.trainer
        #expect(cover.method == .cover)
        #expect(
            [cover.segmentSize, cover.matchSize, cover.steps, cover.shrinkRegression] == [200, 6, 5, 2])
        #expect(strong.compression.options.level == 19)
        #expect(cover.split == 0.8)
        let fast = try settings("--train-fastcover=f=18,accel=3,shrink", "--maxdict=4K", "--dictID=7").trainer
        #expect([fast.frequencyLog, fast.acceleration, fast.shrinkRegression, fast.sizeLimit] == [18, 3, 1, 4096])
        #expect(fast.identifier == 7)
        #expect(try settings("--train-legacy=s=8").trainer.selectivity == 8)
        #expect(try settings("--train-legacy", "-s5").trainer.selectivity == 5)
        #expect(try settings("-s5", "--train-legacy=s=8").trainer.selectivity == 8)
        #expect(try settings("--train-cover=k=200", "--train-fastcover").trainer.segmentSize == 0)
        #expect(try settings("-s5").warnings.count == 1)
        #expect(try settings("--train").output.destination == .path("dictionary"))
        #expect(try settings("--train", "-o", "x", "-B400").compression.options.frameSize == 400)
    }

    @Test(arguments: [
        "cover=f=3", "cover=k", "cover=", "fastcover=k=", "fastcover=k=5,", "legacy=shrink", "legacy=k=5",
    ])
    func `numbers that a trainer does not have are refused`(_ words: String) {
        #expect(throws: Complaint.self) { try settings("--train-" + words) }
    }

    @Test func `levels are measured from one to another`() throws {
        let several = try settings("-b3e7i5S", "-P30")
        let range = several.measuring
        #expect(several.measuredLevels == 3...7)
        #expect(range.time == .seconds(5))
        #expect(range.isSeparate)
        #expect(range.compressibility == 0.3)
        #expect(try settings("-b5", "-e2").measuredLevels == 5...5)
        #expect(try settings("-b22").measuredLevels == 22...22)
        #expect(try settings("-b", "-e99").measuredLevels == 3...22)
        #expect(try settings("--fast=3", "-b").measuredLevels == -3 ... -3)
        #expect(try settings("-b1", "-d").measuring.onlyDecompresses)
        #expect(try settings("-d", "-b1").command is Measure)
    }

    @Test func `a patch and long matches allow all levels`() throws {
        #expect(try settings("-22").compression.options.level == 19)
        #expect(try settings("-22", "--long").compression.options.level == 22)
        #expect(try settings("-22", "--patch-from=x").compression.options.level == 22)
        #expect(try settings("--patch-from=x").compression.isSingleFrame)
        #expect(try settings("--max").compression.isSingleFrame)
    }

    @Test func `frames refer to one thing, and what is applied is a patch`() {
        #expect(throws: Complaint.self) { try settings("-D", "x", "--patch-from=y") }
        #expect(throws: Complaint.self) { try settings("--patch-apply=y") }
        #expect(throws: Never.self) { try settings("-d", "--patch-apply=y") }
    }

    @Test func `a summary is not for the middle of a pipe`() throws {
        #expect(try settings("file").showsSummary)
        #expect(try !settings("-").showsSummary)
        #expect(try settings("-o", "out", "-").showsSummary)
        #expect(try !settings("-c", "file").showsSummary)
        #expect(try settings("-cv", "file").showsSummary)
        #expect(try settings("-t", "-").showsSummary)
        #expect(try !settings("-q", "file").showsSummary)
    }
}
