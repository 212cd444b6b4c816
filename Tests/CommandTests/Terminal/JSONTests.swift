import SystemPackage
import Testing

@testable import Archives
@testable import SluiceCommand
@testable import SluiceEngine

/// What is written is what Foundation's encoder wrote, byte for byte.
@Suite struct JSONTests {
    private struct Line: JSONValue {
        func write(to json: inout JSON) {
            json.object { json in
                json.entry("empty", [Int]())
                json.entry("isSo", true)
                json.entry("largest", UInt64.max)
                json.entry("least", Int64.min)
                json.entry("list", ["b", nil])
                json.entry("none", Int?.none)
                json.entry("numbers", [1.0, 0.1, -0.0, 1e-7, 1e16, 1.5e300, .infinity, -.infinity, .nan])
                json.entry("text", "a/\"\\\n\r\t\u{8}\u{C}\u{1}\u{7F}\u{85}\u{202E}\u{E0001}é<")
            }
        }
    }

    @Test func `a line has no blanks, and nil only in lists`() {
        #expect(
            JSON.line(Line())
                == #"{"empty":[],"isSo":true,"largest":18446744073709551615,"least":-9223372036854775808,"#
                + #""list":["b",null],"numbers":[1,0.1,-0,1e-07,1e+16,1.5e+300,"inf","-inf","nan"],"#
                + #""text":"a/\"\\\n\r\t\b\f\u0001\u007f\u0085\u202e\udb40\udc01é<"}"#)
    }

    private struct Page: JSONValue {
        struct Inner: JSONValue {
            func write(to json: inout JSON) { json.object { $0.entry("d", true) } }
        }

        func write(to json: inout JSON) {
            json.object { json in
                json.entry("a", [Int]())
                json.entry("b", [1, 2])
                json.entry("c", Inner())
            }
        }
    }

    @Test func `a page is indented by two, with a space on either side of a colon`() {
        #expect(
            JSON.page(Page())
                == """
                {
                  "a" : [

                  ],
                  "b" : [
                    1,
                    2
                  ],
                  "c" : {
                    "d" : true
                  }
                }
                """)
    }

    /// The names in each object of a text, in their order.
    private static func names(_ page: String) -> [[String]] {
        var (open, all): ([[String]], [[String]]) = ([], [])
        for line in page.split(separator: "\n") {
            if let end = line.firstRange(of: "\" : ")?.lowerBound {
                open[open.count - 1].append(String(line[..<end].drop { $0 == " " }.dropFirst()))
            }
            if line.hasSuffix("{") { open.append([]) }
            if line.drop(while: { $0 == " " }).hasPrefix("}") { all.append(open.removeLast()) }
        }
        return all
    }

    @Test func `each object has its names in order, and none twice`() {
        // Each name that a run may have, though no run has both an error and a ratio.
        let outcome = RunOutcome(.success, error: "e", files: 1, failedFiles: 0)
        let recorder = Recorder()
        recorder.observe(StageSpan(stage: .read, bytes: 2, start: 0, end: 1))
        recorder.observe(StageSpan(stage: .order, bytes: 1, source: 2, start: 0, end: 1))
        recorder.observe(StageSpan(stage: .write, bytes: 1, start: 0, end: 1))
        var statistics = RunStatistics(recorder, Monitor([]), content: .input)
        statistics.levels = LevelUse(nil, adding: 1, at: 2)
        let command = CommandUsage(
            name: "a", exitStatus: 1, signal: 1, userSeconds: 1, systemSeconds: 1, peakMemoryBytes: 1)
        guard var settings = try? Settings(["-D", "/", "--adapt", "--long", "--limit-rate=1M", "--rm"]) else {
            Issue.record("the options are right")
            return
        }
        settings.operands = [FilePath(platformString: [-1, 0]), "a"]
        let run = RunDescription(settings: settings, date: "", windowLimit: 1)
        let page = StatisticsDocument(
            activity: .compress, statistics: statistics, outcome: outcome, command: command, bottleneck: "", run: run)
        var member = ArchiveMember(path: [0xFF], kind: .symbolicLink)
        member.isSparse = true
        let listing = NamedListing(listing: Listing(), name: "a")
        var progress = ProgressSnapshot()
        (progress.file, progress.fileBase64, progress.level, progress.ratio) = ("a", "b", 1, 1)
        let pages = [
            JSON.page(page), JSON.page(member), JSON.page(FileReports(files: [listing])), JSON.page(progress),
            JSON.page(Timeline(start: 0)),
        ]
        let objects = pages.flatMap(Self.names)
        #expect(objects.count > 20)
        for names in objects { #expect(names == Set(names).sorted()) }
    }

    @Test(arguments: [("f\u{FF}", "Zv8="), ("fo\u{FF}", "Zm//"), ("foo\u{FF}", "Zm9v/w==")])
    func `a name that is not UTF-8 is told in Base64`(name: String, base64: String) {
        let bytes = name.unicodeScalars.map { CChar(bitPattern: UInt8($0.value)) } + [0]
        #expect(JSON.base64(FilePath(platformString: bytes).bytes) == base64)
        #expect(JSON.base64(Array("foo".utf8)) == nil)
    }
}
