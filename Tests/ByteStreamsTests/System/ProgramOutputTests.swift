import Glibc
import StreamTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import ByteStreams

/// What programs print that are run for it, here and by a helper.
@Suite(.timeLimit(.minutes(4)))
struct ProgramOutputTests {
    private static func words(_ script: String) -> [[UInt8]] { ["sh", "-c", script].map { Array($0.utf8) } }

    private static func told(_ output: ProgramOutput) -> String {
        switch output {
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .flawed(let flaw): flaw
        case .cancelled: "cancelled"
        }
    }

    /// A script, and what comes of it within so many seconds.
    static let scripts: [(String, Int, String)] = [
        ("echo a; echo b", 20, "a\nb\n"), ("printf ''", 20, ""), ("cat", 20, ""),
        ("echo a; exit 3", 20, "exited with status 3"), ("kill -9 $$", 20, "was killed by signal 9"),
        ("sleep 30", 1, "took more than 1 s"), ("echo a; exec >&-; sleep 30", 1, "took more than 1 s"),
        ("yes", 20, "printed more than 64 KiB"), ("echo a; sleep 30 & exit 0", 20, "a\n"),
        ("head -c 65535 /dev/zero | tr '\\0' x", 20, String(repeating: "x", count: 65535)),
    ]

    @Test(arguments: scripts) func `a program prints something short, or has a flaw`(
        _ script: String, _ seconds: Int, _ wanted: String
    ) async throws {
        let told = try await within(25) {
            Self.told(ProgramOutput.of(Self.words(script), within: seconds, unless: { false }))
        }
        #expect(told == wanted)
    }

    @Test func `a program that is not there can't be run`() async throws {
        let told = try await within {
            Self.told(ProgramOutput.of([Array("/none/x".utf8)], within: 5, unless: { false }))
        }
        #expect(told == "can't be run: no such file or directory")
    }

    /// What a program leaves running, and whether that is a daemon. It writes the number of the process to a file.
    private static let leftovers: [(String, isDaemon: Bool)] = [
        ("sleep 300 & echo $! >FILE", false),
        // Deaf to all but SIGKILL.
        ("sh -c 'trap \"\" TERM INT HUP; echo $$ >FILE; while :; do sleep 300; done' &", false),
        ("setsid sh -c 'echo $$ >FILE; exec sleep 300' &", true),
    ]

    @Test(arguments: leftovers, ["exit 0", "exit 3", "kill -9 $$", "exec sleep 300", "exec yes", "cancelled"])
    func `what a program leaves running is ended, but for daemons after a success`(
        _ leftover: (String, isDaemon: Bool), _ end: String
    ) async throws {
        let scratch = try Scratch()
        let file = scratch.path.appending("process").string
        let started = leftover.0.replacing("FILE", with: file)
        let script = "\(started)\nuntil [ -s \(file) ]; do sleep 0.01; done\n"
        let (told, process, isThere) = try await within {
            let output = ProgramOutput.of(
                Self.words(script + (end == "cancelled" ? "exec sleep 300" : end)),
                within: end.contains("300") ? 1 : 20,
                unless: { end == "cancelled" && !text(of: file).isEmpty })
            let process = Int32(text(of: file)) ?? 0
            return (Self.told(output), process, process > 0 && kill(process, 0) == 0)
        }
        defer { if process > 0, isThere { kill(process, SIGKILL) } }
        #expect(process > 0)
        #expect(told.isEmpty == (end == "exit 0"))
        #expect(isThere == (leftover.isDaemon && end == "exit 0"), "\(told)")
    }

    /// Of a signal to the whole group the program may die first: then the process ends because of it, not because of
    /// the program. One that is ignored is no reason to wait after a success, nor for long.
    @Test(
        arguments: ["INT", "TERM", "HUP"],
        [("exit 1", true), ("kill -KILL $$", true), ("exit 1", false), ("exit 0", false)])
    func `a signal that ends the program may reach the process a moment later`(
        _ name: String, _ end: (how: String, isCancelled: Bool)
    ) async throws {
        let scratch = try Scratch()
        let file = scratch.path.appending("ends").string
        let told = try await within {
            var questions = 0
            return Self.told(
                ProgramOutput.of(Self.words("kill -\(name) $PPID; : >\(file); \(end.how)"), within: 20) {
                    if end.isCancelled, access(file, F_OK) == 0 { questions += 1 }
                    return questions > 4
                })
        }
        let flaw = end.how == "exit 0" ? "" : "exited with status 1"
        #expect(told == (end.isCancelled ? "cancelled" : flaw))
    }

    /// A program that gets the descriptors of the process keeps others waiting for the end of a pipe.
    @Test func `a program has its standard descriptors only`() async throws {
        let (isMade, told) = try await within {
            var ends: [Int32] = [-1, -1]
            guard Glibc.pipe(&ends) == 0 else { return (false, "") }
            defer { for end in ends { close(end) } }
            let output = ProgramOutput.of(Self.words("exec ls /proc/self/fd"), within: 20, unless: { false })
            return (true, Self.told(output))
        }
        #expect(isMade)
        // The last one is of the directory.
        #expect(told == "0\n1\n2\n3\n")
    }

    @Test func `a helper is asked again after a question that was given up`() async throws {
        let scratch = try Scratch()
        let file = scratch.path.appending("process").string
        let (first, second) = try await within {
            let script = "[ -s \(file) ] && echo b && exit; echo $$ >\(file); exec sleep 300"
            let helper = try ProgramOutput.Helper(Self.words(script))
            defer { helper.dismiss() }
            let first = helper.run(within: 100, unless: { !text(of: file).isEmpty })
            return (Self.told(first), Self.told(helper.run(within: 20, unless: { false })))
        }
        #expect(first == "cancelled")
        #expect(second == "b\n")
    }

    @Test func `whoever cancels a run ends the program`() async throws {
        let scratch = try Scratch()
        let file = scratch.path.appending("process").string
        let (told, isGone) = try await within {
            let start = ContinuousClock.now
            let script = "echo $$ >\(file); exec sleep 60"
            let output = ProgramOutput.of(Self.words(script), within: 60) {
                ContinuousClock.now - start > .seconds(0.5)
            }
            let process = Int32(text(of: file)) ?? 0
            return (Self.told(output), process > 0 && kill(process, 0) != 0)
        }
        #expect(told == "cancelled")
        #expect(isGone)
    }
}

/// The text of a small file, without its line's end.
private func text(of path: String) -> String {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)].filter { $0 > 0x20 }, as: UTF8.self)
}
