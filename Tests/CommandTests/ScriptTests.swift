import Foundation
import Testing

/// What the real binary does in the real world: each script in `Scripts` is one behaviour, and its name says which.
@Suite struct ScriptTests {
    @Test(
        .timeLimit(.minutes(10)), .enabled(if: Script.isBuilt, "scripts/sluice builds the binary"),
        arguments: Script.all)
    func `the command keeps its word`(_ script: Script) async throws {
        let share = script.isAlone ? Script.atOnce : 1
        await Script.turns.take(share)
        let (code, output) = try await script.run()
        await Script.turns.give(share)
        switch code {
        case 0: break
        case 77:
            // scripts/test repeats this line at its end: a cancelled case alone is not told.
            print("skipped: \(script): \(output.trimmingPrefix("skipped: "))", terminator: "")
            try Test.cancel("\(output)")
        default: Issue.record("\(script.path): \(script) failed\n\(output)")
        }
    }

    @Test func `there are scripts`() {
        #expect(Script.all.count > 20)
    }

    @Test func `each script says which programs it needs that may be missing`() throws {
        let programs =
            "setfacl setfattr getfattr bindfs bzip2 cpio curl fish gpg bsdtar logrotate lz4 nginx openssl parallel rsync "
            + "tmux xz zsh strace mkfs.ext4 python3 pzstd sbatch node"
        let silent = try Script.found.flatMap { script in
            let lines = try String(contentsOf: script.url, encoding: .utf8).split(separator: "\n")
                .filter { !$0.hasPrefix("#") }
            return programs.split(separator: " ").filter { program in
                // What tools.bash calls so.
                let name = program == "node" ? "drawn" : program
                return lines.contains { $0 == name || $0.hasPrefix("\(name) ") }
                    && !lines.contains { line in
                        (line.hasPrefix("needs ") || line.contains("command -v"))
                            && line.split(whereSeparator: { " )".contains($0) }).contains(program)
                    }
            }
            .map { "\(script): \($0)" }
        }
        #expect(silent == [])
    }

    @Test func `a quick run has one script of each folder, which is not one of the long ones`() {
        let folder = { (script: Script) in script.url.deletingLastPathComponent().lastPathComponent }
        #expect(Script.quick.map(folder).sorted() == Set(Script.found.map(folder)).sorted())
        let found = Set(Script.found.filter { !$0.isLong }.map(\.url.path))
        #expect(Script.quick.map(\.url.path).filter { !found.contains($0) } == [])
    }
}

/// One file of `Scripts`.
struct Script: CustomTestStringConvertible, CustomStringConvertible, Sendable {
    let url: URL

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Scripts")

    /// `SLUICE_BINARY`, or what scripts/sluice has built. The debug build is too slow for the limits of time.
    static let binary: URL = {
        if let path = ProcessInfo.processInfo.environment["SLUICE_BINARY"] { return URL(filePath: path) }
        return folder.appending(path: "../../../.build/sluice").standardizedFileURL
    }()
    /// Whether there is a binary to run scripts with. Whoever names one has none skipped.
    static let isBuilt =
        ProcessInfo.processInfo.environment["SLUICE_BINARY"] != nil
        || FileManager.default.isExecutableFile(atPath: binary.path)

    /// Those that this run is for, as `SLUICE_TESTS` says: quick, long, or neither. The slow ones come first, so that
    /// no core is idle at the end.
    static let all: [Script] = {
        switch ProcessInfo.processInfo.environment["SLUICE_TESTS"] {
        case "quick": quick
        case "long": found.filter(\.isSlow) + found.filter { !$0.isSlow }
        default: found.filter { $0.isSlow && !$0.isLong } + found.filter { !$0.isSlow && !$0.isLong }
        }
    }()

    static let found: [Script] = {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return paths.filter { $0.hasSuffix(".sh") }.sorted().map { Script(url: folder.appending(path: $0)) }
    }()

    /// Those of a quick run, which a file lists.
    static let quick: [Script] = {
        let list = (try? String(contentsOf: folder.appending(path: "quick.txt"), encoding: .utf8)) ?? ""
        return list.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { Script(url: folder.appending(path: String($0))) }
    }()

    /// A few at a time: most of them wait more than they compute.
    static let atOnce = 2 * ProcessInfo.processInfo.activeProcessorCount + 1
    static let turns = AsyncSemaphore(atOnce)

    /// Whether it wants the machine for itself, because it measures time.
    var isAlone: Bool { marks.contains("Alone") }
    /// Whether it is for `scripts/test --long` only: chance needs many tries, or a rate its time.
    var isLong: Bool { marks.contains("Long") }
    /// Whether it takes longer than most.
    var isSlow: Bool { marks.contains("Slow") }

    /// What its first lines say of it, as in `# Alone: why`.
    private var marks: Set<Substring> {
        let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        return Set(text.split(separator: "\n").prefix(2).map { $0.dropFirst(2).prefix { $0 != ":" } })
    }

    /// From the root of the clone on, as scripts/test names it to run it alone.
    var path: String { "Tests/CommandTests/Scripts/" + url.path.dropFirst(Self.folder.path.count + 1) }

    var testDescription: String { description }
    /// The sentence that the file's name is.
    var description: String {
        url.deletingPathExtension().lastPathComponent.replacing("-", with: " ")
    }

    /// Runs the script; its time limit is in `Scripts/run`.
    ///
    /// - Returns: the exit code, and what there is to say about it.
    func run() async throws -> (code: Int32, output: String) {
        let process = Process()
        process.executableURL = Self.folder.appending(path: "run")
        process.arguments = [url.path]
        process.environment = ProcessInfo.processInfo.environment.merging(["SLUICE": Self.binary.path]) { $1 }
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        return await withCheckedContinuation { continuation in
            // Reading blocks, which the threads that run tests must not.
            Thread.detachNewThread {
                let output = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
                process.waitUntilExit()
                continuation.resume(returning: (process.terminationStatus, String(decoding: output, as: UTF8.self)))
            }
        }
    }
}

/// Lets a few go on at a time, in the order in which they came.
actor AsyncSemaphore {
    private var free: Int
    private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    init(_ count: Int) { free = count }

    func take(_ count: Int) async {
        if waiting.isEmpty, free >= count {
            free -= count
        } else {
            await withCheckedContinuation { waiting.append((count, $0)) }
        }
    }

    func give(_ count: Int) {
        free += count
        while let next = waiting.first, free >= next.count {
            free -= next.count
            waiting.removeFirst().continuation.resume()
        }
    }
}
