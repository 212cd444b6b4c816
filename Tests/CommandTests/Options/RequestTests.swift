import SluiceEngine
import SystemPackage
import Testing

@testable import SluiceCommand

/// zstd's words, and the long options that mean the same.
@Suite struct RequestTests {
    static let rewritings: [(words: [String], options: [String], operands: [FilePath])] = [
        ([], [], []),
        (["file"], [], ["file"]),
        (["-"], [], ["-"]),
        (["-d", "a.zst", "b.zst"], ["--decompress"], ["a.zst", "b.zst"]),
        (["-dcf", "a"], ["--decompress", "--stdout", "--force"], ["a"]),
        (["-19"], ["--level=19"], []),
        (["-1", "-9"], ["--level=1", "--level=9"], []),
        (["-q19T2k"], ["--quiet", "--level=19", "--threads=2", "--keep"], []),
        (["-T0"], ["--threads=0"], []),
        (["-3M64MBd"], ["--level=3", "--memory=64MB", "--decompress"], []),
        (["-M128MB"], ["--memory=128MB"], []),
        (["-M1GiB", "-B8M"], ["--memory=1GiB", "--frame-size=8M"], []),
        (["-M8G", "-B8Gq"], ["--memory=8G", "--frame-size=8G", "--quiet"], []),
        (["--memory=8G", "--memlimit", "4096M"], ["--memory=8G", "--memory=4096M"], []),
        (["-s5q", "--train-legacy"], ["--selectivity=5", "--quiet", "--train-legacy"], []),
        (["-s5", "--train-legacy=s=8"], ["--train-legacy=s=8"], []),
        (["--train-legacy=s=8", "-s5"], ["--train-legacy", "--selectivity=5"], []),
        (["-B8Mq"], ["--frame-size=8M", "--quiet"], []),
        (["-B64Kc"], ["--frame-size=64K", "--stdout"], []),
        (["-z", "-t", "-l", "-k"], ["--compress", "--test", "--list", "--keep"], []),
        (["-qq", "-vv"], ["--quiet", "--quiet", "--verbose", "--verbose"], []),
        (["-h"], ["--usage"], []),
        (["-H"], ["--help"], []),
        (["-V"], ["--version"], []),
        (["-C"], ["--check"], []),
        (["-n", "--asyncio", "--no-asyncio", "--no-name", "--mmap-dict"], [], []),
        (["--uncompress", "--decompress"], ["--decompress", "--decompress"], []),
        (["--fast"], ["--level=-1"], []),
        (["--fast=7"], ["--level=-7"], []),
        (["--long"], ["--long=27"], []),
        (["--long=30", "a"], ["--long=30"], ["a"]),
        (["--long", "30"], ["--long=27"], ["30"]),
        (["--ultra", "-22"], ["--ultra", "--level=22"], []),
        (["--join", "-d", "a"], ["--decompress", "--join"], ["a"]),
        (["--single-thread"], ["--threads=1"], []),
        (["--single-thread", "--rsyncable"], ["--threads=1", "--rsyncable", "--single-thread"], []),
        (["--single-thread", "-T2", "--rsyncable"], ["--threads=1", "--threads=2", "--rsyncable"], []),
        (
            ["--adapt", "-T2", "--single-thread"], ["--adapt", "--threads=2", "--threads=1", "--single-thread"], []
        ),
        (["--adapt", "--adapt=min=3"], ["--adapt", "--adapt=min=3"], []),
        (["--adapt", "min=1"], ["--adapt"], ["min=1"]),
        (["--threads=3"], ["--threads=3"], []),
        (["--threads", "3", "a"], ["--threads=3"], ["a"]),
        (["--memlimit=64MB"], ["--memory=64MB"], []),
        (["--memory", "64MB"], ["--memory=64MB"], []),
        (["--stream-size=10M"], ["--stream-size=10M"], []),
        (["--stream-size="], ["--stream-size="], []),
        (["--no-progress"], ["--progress=none"], []),
        (["--progress"], ["--progress=bar"], []),
        (["--rm", "--keep", "a"], ["--rm", "--keep"], ["a"]),
        (["a", "-d", "b"], ["--decompress"], ["a", "b"]),
        (["-d", "--", "-d", "--", "-"], ["--decompress"], ["-d", "--", "-"]),
        (["--limit-rate", "10M", "M"], ["--limit-rate=10M"], ["M"]),
        (["--limit-rate", "10", "./M"], ["--limit-rate=10"], ["./M"]),
        (["--buffer=10", "--", "M"], ["--buffer=10"], ["M"]),
        (["-B10q", "M"], ["--frame-size=10", "--quiet"], ["M"]),
        (["-T2", "M"], ["--threads=2"], ["M"]),
        (["--priority=rt"], [], []),
        (["--auto-threads", "physical", "a"], [], ["a"]),
        (["--size-hint", "1M", "a"], ["--size-hint=1M"], ["a"]),
        (["-T1K"], ["--threads=1024"], []),
        (["--threads=1K"], ["--threads=1024"], []),
        (["--fast=1K"], ["--level=-1024"], []),
        (["-4294967295"], ["--level=4294967295"], []),
        (["-B8Miq"], ["--frame-size=8Mi", "--quiet"], []),
        (["--long=0"], ["--long=27"], []),
        (["-l", "--json"], ["--list", "--json"], []),
    ]

    @Test(arguments: Flag.operations.filter { $0.operation != nil }.map(\.name))
    func `an operation is reached by its word, and by its letter if it has one`(name: String) throws {
        let flag = try #require(Flag.named(name.utf8)?.0)
        let letter = flag.letter.map { "-" + String(decoding: [$0], as: UTF8.self) }
        for word in ["--" + name, letter].compactMap(\.self) {
            let request = try Request([Array(word.utf8)])
            #expect(request.chosen.map(\.activity.name) == [name])
        }
    }

    /// Everything that words become, or why they are refused, without how they were spelled.
    private func meaning(of words: [String]) -> [String] {
        do throws(Complaint) {
            let request = try Request(words.map { Array($0.utf8) })
            if let answer = request.settings.answer { return ["\(answer)"] }
            let operands = request.settings.operands.map(\.string)
            var settings = try request.settled()
            let warnings = settings.warnings.count
            settings.warnings = []
            var text = ""
            dump(settings, to: &text)
            // What is loaded for a run has an address, and is the same.
            return operands + ["\(warnings) warnings"] + text.split(separator: "\n").map(String.init).sorted()
        } catch {
            return ["refused"]
        }
    }

    @Test(arguments: rewritings)
    func `words mean what long options and operands mean`(
        _ words: [String], _ options: [String], _ operands: [FilePath]
    ) throws {
        #expect(meaning(of: words) == meaning(of: options + ["--"] + operands.map(\.string)))
        if meaning(of: words).count < 2 { return }
        #expect(try Request(words.map { Array($0.utf8) }).settings.operands == operands)
    }

    @Test(arguments: [
        (["-o", "out", "in"], ["--output=out"]), (["in", "-o", "out"], ["--output=out"]),
        (["-o=out", "in"], ["--output=out"]), (["-fo=out", "in"], ["--force", "--output=out"]),
        (["-of", "out", "in"], ["--output=out", "--force"]), (["-fo", "out", "in"], ["--force", "--output=out"]),
        (["--output=out", "in"], ["--output=out"]), (["--output", "out", "in"], ["--output=out"]),
        (["-dfo", "out", "in"], ["--decompress", "--force", "--output=out"]),
        (["-19o", "out", "in"], ["--level=19", "--output=out"]),
    ])
    func `the output's name is the next word`(_ words: [String], _ options: [String]) throws {
        #expect(meaning(of: words) == meaning(of: options + ["in"]))
        let request = try Request(words.map { Array($0.utf8) })
        #expect(request.settings.output.destination == .path("out"))
        #expect(request.settings.operands == ["in"])
    }

    @Test func `an output may have a name that looks like an option`() throws {
        let request = try Request(["-o", "-d", "--", "-c"].map { Array($0.utf8) })
        #expect(request.settings.output.destination == .path("-d"))
        #expect(request.settings.operands == ["-c"])
    }

    @Test(
        arguments: [
            [0x66, 0xFF, 0xFE], [0xC3], [0x1B, 0x5B, 0x33, 0x31, 0x6D], [0x0A], [0x75, 0xCC, 0x88], [0xC3, 0xBC],
        ] as [[UInt8]])
    func `names are bytes`(_ name: [UInt8]) throws {
        let request = try Request([Array("-D".utf8), name, name])
        let paths = request.settings.operands + [request.settings.references.dictionaryFile].compactMap(\.self)
        for path in paths {
            let bytes = path.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: path.length)) }
            #expect(bytes.map { UInt8(bitPattern: $0) } == name)
        }
        #expect(paths.count == 2)
    }

    @Test func `two spellings of one letter are two names`() throws {
        let request = try Request([[0x75, 0xCC, 0x88], [0xC3, 0xBC]])
        #expect(request.settings.operands[0] != request.settings.operands[1])
    }

    @Test(arguments: [
        [""], ["--", ""], ["-o", ""], ["--output="], ["-o"], ["-fo"], ["--threads"], ["--force=yes"], ["-y"], ["-dY"],
        ["--stats", "json"], ["--progress", "plain", "a"], ["--rm=all"], ["-Mx"], ["--no-such-option=x"], ["--fast=0"],
        ["--fast=-1"], ["--fast=x"], ["-4294967296"], ["--fast=4294967297"], ["-T4294967296"],
        ["-s4294967296"], ["-s"], ["-sx"],
        ["--threads=99999999999999999999"], ["--asyncio=1"], ["--priority=x"], ["--size-hint=x"],
    ])
    func `nonsense is an error`(_ words: [String]) {
        #expect(throws: Complaint.self) { try Request(words.map { Array($0.utf8) }) }
    }

    private func refusal(of words: [String]) -> Complaint? {
        do throws(Complaint) {
            _ = try Request(words.map { Array($0.utf8) })
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("--quite", "quiet"), ("--decompres", "decompress"), ("--compres", "compress"), ("--comp", "compress"),
        ("--limit", "limit-rate"), ("--extreme", "max"), ("--stat=json", "stats"), ("--flush", "flush-interval"),
        ("--tset", "test"),
    ])
    func `a slip brings the option that is meant`(_ word: String, _ option: String) {
        #expect(refusal(of: [word])?.hint == "did you mean --\(option)?")
    }

    @Test func `the strongest level of gzip is not a test`() {
        #expect(refusal(of: ["--best"])?.hint == "did you mean -19?")
    }

    @Test func `a command without its dashes is repeated with them`() throws {
        for (typed, command) in [
            (["ls"], "ls"), (["tar", "-c", "my dir"], "tar -c 'my dir'"), ([], "pg_dump db"),
        ] {
            let words = ["-q", "--from-command"] + typed
            let complaint = #expect(throws: Complaint.self) { try Request(words.map { Array($0.utf8) }).settled() }
            #expect(complaint?.hint == "such as --from-command -- \(command)")
        }
    }

    @Test(arguments: ["--foo", "--xyz", "--B", "--o", "--no-keep", "--ultra-fast", "--rn", "--nothing=x", "-y", "-dY"])
    func `what is like no option brings none`(_ word: String) throws {
        let error = try #require(refusal(of: [word]))
        #expect(error.sentence.hasPrefix("unknown option -"))
        #expect(error.hint == "sluice --help lists the options")
    }

    @Test(arguments: [
        (["-T-1"], "-T takes a number of threads, such as -T4, not -1"),
        (["-T", "4"], "-T takes a number of threads, such as -T4, without a space"),
        (["-Mlots"], "-M takes a number of bytes, such as -M512M, not lots"),
        (["--priority=high"], "--priority takes rt, not high"),
        (["--range="], "--range takes bytes such as 0-99, 100- or -100, not an empty value"),
    ])
    func `what is no number is told`(_ words: [String], _ sentence: String) {
        #expect(refusal(of: words)?.sentence == sentence)
    }

    @Test(arguments: [
        ["--limit-rate", "10", "M", "a"], ["--limit-rate=10", "M"], ["--limit-rate", "10", "MB/s"],
        ["--buffer", "1", "GiB"], ["-B10", "k"], ["-qM10", "MB"], ["--stream-size", "3", "T"],
    ])
    func `a unit that stands alone is not taken for a file`(_ words: [String]) throws {
        #expect(try #require(refusal(of: words)).sentence.contains("a number and its unit must be one word"))
    }

    @Test(arguments: [
        ("zstd", []), ("/usr/bin/unzstd", ["-d"]), ("zstdcat", ["-dcf"]), ("/bin/zcat", ["-dcf"]), ("gzcat", ["-dcf"]),
        ("./zstdmt", ["-T0"]), ("sluice", []),
        ("", []),
    ])
    func `the command's name stands for options`(_ name: String, _ implied: [String]) {
        let invocation = Invocation(name: Array(name.utf8), words: [Array("file".utf8)])
        #expect(invocation.rewritten == (implied + ["file"]).map { Array($0.utf8) })
        #expect(invocation.followsZstd == !["sluice", ""].contains(name))
    }

    @Test(arguments: [
        ("a/", "a/."), ("a//", "a/."), ("./a/", "./a/."), ("/", "/"), ("//", "/"), ("a/b", "a/b"),
    ])
    func `a slash at the end is kept: with a dot, for a path would drop it`(word: String, path: FilePath) throws {
        let request = try Request([Array(word.utf8)])
        #expect(request.settings.operands == [path])
        #expect(request.settings.operands.allSatisfy { $0.printable.last != "." })
    }
}
