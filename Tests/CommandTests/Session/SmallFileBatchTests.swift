import SluiceEngine
import Synchronization
import SystemPackage
import Testing

@testable import SluiceCommand

/// What a batch of small files promises.
@Suite(.timeLimit(.minutes(4))) struct SmallFileBatchTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Does the operands as one batch, by four threads.
    private func outcomes(
        _ operands: [FilePath], _ words: String..., latch: FailureLatch = FailureLatch(), byteLimit: UInt64 = 1 << 20,
        on disk: any Disk
    ) throws -> [SmallFileBatch.Outcome] {
        let settings = try Settings(words + ["-q", "-T4"], for: operands)
        let progress = ProgressCounter()
        let monitor = Monitor([progress.observe])
        let command = try #require(settings.command as? any Transfer)
        let console = Console(quietness: 2)
        let run = SmallFileRun(
            settings: settings, command: command, operation: try #require(command.wholeFileOperation(settings)),
            protected: ProtectedFiles(settings), lanes: 4, monitor: monitor, console: console)
        let total = TotalSize(settings, isShown: false)
        let display = ProgressDisplay(settings.progressStyle, of: total, progress, monitor, settings, console)
        let batch = SmallFileBatch(operands.map { Operand($0) }, run, latch, display, disk: disk, byteLimit: byteLimit)
        let written = batch.write()
        let outcomes = batch.outcomes
        #expect(outcomes.count == written)
        return outcomes
    }

    /// Makes files of those names, and returns their paths.
    private func files(_ names: [String], in folder: Folder) throws -> [FilePath] {
        try names.map { try folder.write("content of \($0)", to: $0) }
    }

    private let names = (10..<40).map { "f\($0)" }

    @Test func `everything is synced before the first name is given, and every name before the first source goes`()
        throws
    {
        let operands = try files(names, in: folder)
        let seen = Mutex<[String: [String]]>([:])
        let disk = WatchedDisk { [folder] in
            let names = folder.names
            if $0 != "write" { seen.withLock { [step = $0] in $0[step] = names } }
        }
        let outcomes = try outcomes(operands, "--rm", on: disk)
        let compressed = names.map { $0 + ".zst" }
        #expect(seen.withLock { $0 }["sync"] == names)
        #expect(seen.withLock { $0 }["sync folder"] == (names + compressed).sorted())
        #expect(folder.names == compressed)
        #expect(outcomes.done == operands.count)
    }

    @Test func `what a batch made is what another makes the sources of`() throws {
        let operands = try files(names, in: folder)
        _ = try outcomes(operands, "--rm", on: WatchedDisk())
        let compressed = operands.map { FilePath($0.string + ".zst") }
        let outcomes = try outcomes(compressed, "-d", "--rm", on: WatchedDisk())
        #expect(outcomes.done == operands.count)
        #expect(folder.names == names)
        for (name, path) in zip(names, operands) {
            let file = try FileDescriptor.open(path, .readOnly)
            defer { try? file.close() }
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
            #expect(String(decoding: bytes[..<count], as: UTF8.self) == "content of \(name)")
        }
    }

    @Test func `a failed sync keeps every source, names nothing, and is told once, with the first`() throws {
        let operands = try files(names, in: folder)
        let outcomes = try outcomes(operands, "--rm", on: WatchedDisk(syncFailure: .ioError))
        #expect(folder.names == names)
        #expect(outcomes.complaints == ["can't sync disk: input/output error; 30 files not created"])
        #expect(outcomes.first?.complaint != nil)
        #expect(outcomes.done == 0)
    }

    @Test func `a folder that can't be synced keeps its sources, and only those`() throws {
        let (one, two) = (try Folder(in: folder, "one"), try Folder(in: folder, "two"))
        let operands = try files(["b"], in: two) + files(["a", "b"], in: one) + files(["a"], in: two)
        let outcomes = try outcomes(operands, "--rm", on: WatchedDisk(folderFailures: [one.path: .ioError]))
        #expect(one.names == ["a", "a.zst", "b", "b.zst"])
        #expect(two.names == ["a.zst", "b.zst"])
        #expect(outcomes.map(\.isDone) == [true, false, false, true])
        #expect(outcomes.complaints.count == 1)
        #expect(outcomes[1].complaint?.hasSuffix("input/output error; 2 files may not be on disk yet") == true)
    }

    @Test func `what became of the operands is in their order`() throws {
        let damaged = try names.map { try folder.write("not compressed: \($0)", to: "\($0).zst") }
        let outcomes = try outcomes(damaged, "-d", on: WatchedDisk())
        #expect(outcomes.complaints == damaged.map { "\($0): not in a supported format (zstd, gzip, xz, lzma, lz4)" })
    }

    @Test func `what needs a question, a job or a reader is left, and stays as it is`() throws {
        _ = try Folder(in: folder, "directory")
        try folder.write("old", to: "taken.zst")
        let operands =
            try files(["taken", "free"], in: folder)
            + [
                try folder.write(String(repeating: "x", count: 5 << 20), to: "large"),
                folder.path.appending("directory"), folder.path.appending("missing"), Operand.standardInput,
            ]
        let outcomes = try outcomes(operands, on: WatchedDisk())
        #expect(outcomes.map(\.isDone) == [false, true, false, false, false, false])
        #expect(outcomes.complaints.isEmpty)
        #expect(folder.names == ["free", "free.zst", "large", "taken", "taken.zst"])
    }

    @Test func `of two sources that become one file one keeps its name and the other stays`() throws {
        let operands = try files(["a.tzst", "a.tar.zst"], in: folder)
        _ = try outcomes(try files(["a"], in: folder), "--rm", on: WatchedDisk())
        for operand in operands { try copy(folder.path.appending("a.zst"), to: operand) }
        let outcomes = try outcomes(operands, "-d", "-f", "--rm", on: WatchedDisk())
        #expect(outcomes.done == 1)
        #expect([["a.tar", "a.tar.zst", "a.zst"], ["a.tar", "a.tzst", "a.zst"]].contains(folder.names))
    }

    private func copy(_ path: FilePath, to other: FilePath) throws {
        let (from, to) = (try FileDescriptor.open(path, .readOnly), try FileDescriptor.open(other, .writeOnly))
        defer {
            try? from.close()
            try? to.close()
        }
        var bytes = [UInt8](repeating: 0, count: 1000)
        let count = try bytes.withUnsafeMutableBytes { try from.read(into: $0) }
        _ = try to.writeAll(bytes[..<count])
        try to.resize(to: Int64(count))
    }

    @Test func `a run that is stopped names nothing, and keeps every source`() throws {
        let operands = try files(names, in: folder)
        let latch = FailureLatch()
        let disk = WatchedDisk { if $0 == "write" { latch.fail(.cancelled) } }
        let outcomes = try outcomes(operands, "--rm", latch: latch, on: disk)
        #expect(folder.names == names)
        #expect(outcomes.done == 0)
    }

    @Test func `nothing waits for a disk that is not asked`() throws {
        let operands = try files(names, in: folder)
        let disk = WatchedDisk { #expect($0 == "", "the disk was asked") }
        #expect(try outcomes(operands, "--no-sync", "--rm", on: disk).done == operands.count)
        #expect(folder.names == names.map { $0 + ".zst" })
        let compressed = folder.names.map { folder.path.appending($0) }
        #expect(try outcomes(compressed, "-t", on: disk).done == operands.count)
    }

    @Test func `a batch ends when much is written, and what it did not begin is left to the next`() throws {
        let operands = try files(names, in: folder)
        let outcomes = try outcomes(operands, byteLimit: 100, on: WatchedDisk())
        // Four threads have begun one more each when the limit is reached.
        #expect((3...10).contains(outcomes.count))
        #expect(outcomes.done == outcomes.count)
        #expect(folder.names == (names + names.prefix(outcomes.count).map { $0 + ".zst" }).sorted())
    }

    @Test func `what is put back comes again, first and in order`() throws {
        let queue = OperandQueue(try Settings([], for: names.map { FilePath($0) }), nil)
        let first = queue.next(10)
        queue.putBack(first.dropFirst(4))
        #expect(queue.count == names.count)
        let rest = queue.next(100)
        #expect((first.prefix(4) + rest).map(\.path) == names.map { FilePath($0) })
        #expect(queue.next(1).isEmpty)
    }

    @Test(arguments: [1, 1000, 1024, 5000, 10_000, 20_000], [10, 1024, 4096])
    func `batches have all operands in order, and get no smaller than they must towards the end`(count: Int, most: Int)
        throws
    {
        let paths = (0..<count).map { FilePath("\($0)") }
        let queue = OperandQueue(try Settings([], for: paths), nil)
        var batches: [[Operand]] = []
        while case let batch = queue.nextBatch(most), !batch.isEmpty { batches.append(batch) }
        #expect(batches.joined().map(\.path) == paths)
        let sizes = batches.map(\.count)
        #expect(sizes == sizes.sorted(by: >))
        #expect(sizes.allSatisfy { $0 <= most } && sizes.dropLast().allSatisfy { $0 >= min(most, 1024) })
        #expect((sizes.last ?? 0) <= 1024)
    }

    @Test(arguments: [(1, 1), (10, 2), (4096, 2), (100_000, 2), (100_000, 256)])
    func `a batch is never more than its files or 4096, and never nothing`(files: Int, workers: Int) {
        #expect((1...min(4096, files)).contains(SmallFileBatch.size(for: files, workers: workers)))
    }
}

extension SmallFileBatch.Outcome {
    fileprivate var isDone: Bool { if case .done = self { true } else { false } }
    fileprivate var complaint: String? { if case .failed(let complaint) = self { complaint.sentence } else { nil } }
}

extension [SmallFileBatch.Outcome] {
    /// How many are done.
    fileprivate var done: Int { count { $0.isDone } }
    fileprivate var complaints: [String] { compactMap(\.complaint) }
}
