import Dispatch
import Glibc
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import Sluice
@testable import SluiceEngine

/// Runs for which a Task is suspended.
@Suite(.timeLimit(.minutes(4)))
struct AsyncRunTests {
    static let content = sample(3_000_000)
    /// Seconds: half of one, and what other tests take meanwhile, which keep the threads of the pool that a Task needs
    /// to go on. What is cancelled here would go on for ever.
    static let patience = 20.0
    static let small = Compression(level: 1, frameSize: 1 << 16)

    @Test func `a file becomes what a run of the command makes of it, and back`() async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.content, to: "a")
        let (packed, unpacked) = (scratch.path.appending("a.zst"), scratch.path.appending("b"))
        let summary = try await Self.small.run(from: .file(path), to: .file(packed))
        #expect(try scratch.content("a.zst").isSame(as: try Job.compress().output(of: Self.content)))
        #expect(summary.contentSize == Self.content.count)
        #expect(try summary.bytesOut == scratch.content("a.zst").count)
        let back = try await Decompression().run(from: .file(packed), to: .file(unpacked))
        #expect(try scratch.content("b").isSame(as: Self.content))
        #expect(back.bytesIn == summary.bytesOut)
        try await Decompression().run(from: .file(packed), to: .nothing)
        #expect(scratch.names == ["a", "a.zst", "b"])
    }

    @Test func `paths may be strings, and ranges are all that is written`() async throws {
        let scratch = try Scratch()
        let name = try scratch.write(Self.content, to: "a").string
        try await Self.small.run(from: .file(name), to: .file(name + ".zst"))
        let size = Self.content.count
        let ranges = [ContentRange(10..<20), .last(5), .from(size - 3), ContentRange(size - 1..<size + 100)]
        try await Decompression(ranges: ranges).run(from: .file(name + ".zst"), to: .file(name + ".part"))
        let wanted = Self.content[10..<20] + Self.content.suffix(5) + Self.content.suffix(3) + Self.content.suffix(1)
        #expect(try scratch.content("a.part") == Array(wanted))
        let failure = await #expect(throws: Failure.self) {
            try await Decompression(ranges: [.from(size)]).run(from: .file(name + ".zst"), to: .nothing)
        }
        #expect(failure?.code == .outOfRange)
        let missing = await #expect(throws: Failure.self) {
            try await Self.small.run(from: .file(name + ".none"), to: .nothing)
        }
        #expect(missing?.code == .notFound)
    }

    @Test func `no run replaces the file that it reads, however that is named`() async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.content, to: "a")
        let other = scratch.path.appending("b")
        try #require(link(path.string, other.string) == 0)
        for target in [path, other] {
            let failure = await #expect(throws: Failure.self) {
                try await Self.small.run(from: .file(path), to: .file(target, isReplacing: true))
            }
            #expect(failure?.code == .fileExists)
        }
        #expect(try scratch.content("a").isSame(as: Self.content))
        #expect(scratch.names == ["a", "b"])
        // Another name of it goes, where that is a link.
        try #require(unlink(other.string) == 0 && symlink("a", other.string) == 0)
        try await Self.small.run(from: .file(path), to: .file(other, isReplacing: true))
        #expect(try scratch.content("a").isSame(as: Self.content))
    }

    @Test func `a string that is a URL is not taken for a path`() async throws {
        let failure = await #expect(throws: Failure.self) {
            try await Self.small.run(from: .file("http://127.0.0.1:1/a"), to: .nothing)
        }
        #expect(failure?.code == .remote)
        let path = await #expect(throws: Failure.self) {
            try await Self.small.run(from: .file(FilePath("http://127.0.0.1:1/a")), to: .nothing)
        }
        #expect(path?.code == .notFound)
    }

    @Test func `one frame of a file that grows has what the file had when it was opened`() async throws {
        let content = try await within {
            let file = try NamelessFile(Self.content)
            let (source, sink) = (try Source(file.descriptor), ScriptedSink())
            _ = try file.descriptor.writeAll(toAbsoluteOffset: Int64(Self.content.count), [1, 2, 3])
            let job = Job(SingleFrame(.init(level: 1), contentSize: UInt64(Self.content.count)))
            let summary = try job.run(from: source, to: Sink(sink))
            #expect(summary.contentSize == Self.content.count)
            return try Job.decompress().output(of: sink.bytes)
        }
        #expect(content.isSame(as: Self.content))
    }

    @Test func `a printed summary tells what there is, and not what there is not`() async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.content, to: "a")
        let plain = try await Self.small.run(from: .file(path), to: .nothing)
        #expect("\(plain)" == "3000000 bytes became \(plain.bytesOut) in \(plain.duration)")
        let options = RunOptions(hash: try HashFunction("sha256"))
        let hashed = try await Self.small.run(from: .file(path), to: .nothing, options: options)
        #expect("\(hashed)".hasSuffix(", hash of the content \(try #require(hashed.contentHash))"))
    }

    @Test(arguments: [(3, nil), (0, nil), (-1, nil), (1 << 40, nil), (nil, 0), (nil, -1)] as [(Int?, Int?)])
    func `options that make no sense are refused before anything is made`(frameSize: Int?, threads: Int?) async throws {
        let scratch = try Scratch()
        let path = try scratch.write([1], to: "a")
        let compression = Compression(CompressionOptions(level: 1, frameSize: frameSize))
        let options = RunOptions(threads: threads)
        let output = RunOutput.file(scratch.path.appending("b"))
        let failures = [
            await #expect(throws: Failure.self) {
                try await compression.run(from: .file(path), to: output, options: options)
            },
            await #expect(throws: Failure.self) {
                for try await _ in AsyncStream<[UInt8]>(unfolding: { nil })
                    .compressed(by: compression, options: options)
                {}
            },
        ]
        for failure in failures {
            #expect(failure?.code == .invalidOption)
            #expect(failure?.message.contains(frameSize == nil ? "threads is" : "frameSize is") == true)
        }
        #expect(scratch.names == ["a"])
    }

    private struct Refusal: Error {}

    /// Of no frame, one, and several, of files and pipes.
    @Test(arguments: [0, 1, 1 << 16, 100_000, 3_000_000])
    func `an input that is not complete gives no file, and a stream without an end`(size: Int) async throws {
        let scratch = try Scratch()
        let (content, asked) = (Array(Self.content[..<size]), Locked(0))
        let path = try scratch.write(content, to: "a")
        let old = try scratch.write([1, 2, 3], to: "old")
        for isRefused in [true, false] {
            let options = RunOptions(
                threads: 2,
                isComplete: {
                    asked.withLock { $0 += 1 }
                    if isRefused { throw Refusal() }
                    return false
                })
            let file = try NamelessFile(content)
            for input in [RunInput.file(path), .descriptor(file.descriptor)] {
                let failure = await #expect(throws: Failure.self) {
                    try await Self.small.run(from: input, to: .file(old, isReplacing: true), options: options)
                }
                #expect(failure?.code == .incompleteInput)
                #expect((failure?.cause is Refusal) == isRefused)
            }
            #expect(try file.content.count == size)
            let sink = try NamelessFile()
            await #expect(throws: Failure.self) {
                try await Self.small.run(from: .file(path), to: .descriptor(sink.descriptor), options: options)
            }
            let stream = try sink.content
            #expect(throws: Failure.self) { try Job.decompress().output(of: stream) }
            #expect(try stream.isPrefix(of: Job.compress().output(of: content)))
        }
        #expect(asked.withLock { $0 } == 6)
        #expect(try scratch.content("old") == [1, 2, 3])
        #expect(scratch.names == ["a", "old"])
        let options = RunOptions(isComplete: { true })
        try await Self.small.run(from: .file(path), to: .file(old, isReplacing: true), options: options)
        #expect(try scratch.content("old").isSame(as: Job.compress().output(of: content)))
    }

    @Test func `one frame holds all of the content`() async throws {
        let scratch = try Scratch()
        let name = try scratch.write(Self.content, to: "a").string
        var compression = Self.small
        compression.framing = .single(contentSize: Self.content.count)
        try await compression.run(from: .file(name), to: .file(name + ".zst"))
        let packed = try scratch.content("a.zst")
        // The header has its size.
        #expect(try Decompression().bound(of: packed.span.bytes) == Self.content.count)
        #expect(try Decompression().decompress(packed.span.bytes, limit: Self.content.count) == Self.content)
    }

    @Test func `a file that is there stays, unless it may be replaced`() async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.content, to: "a")
        let packed = try scratch.write([1, 2, 3], to: "a.zst")
        await #expect(throws: Failure.file(action: "create", path: packed, .fileExists)) {
            try await Self.small.run(from: .file(path), to: .file(packed))
        }
        #expect(try scratch.content("a.zst") == [1, 2, 3])
        try await Self.small.run(from: .file(path), to: .file(packed, isReplacing: true))
        #expect(try scratch.content("a.zst").count > 3)
    }

    @Test(arguments: [false, true])
    func `pipes and sockets are read and written, and keep what they are`(isSocket: Bool) async throws {
        let (source, sink) = (try Pipe(isSocket: isSocket), try Pipe(isSocket: isSocket))
        defer { source.close() }
        source.feed(Self.content, pieces: [70_000, 1, 300_000])
        let output = sink.collect()
        try await Self.small.run(from: .descriptor(source.reading), to: .descriptor(sink.writing))
        for descriptor in [source.reading, sink.writing] {
            #expect(fcntl(descriptor.rawValue, F_GETFL) & O_NONBLOCK == 0)
        }
        sink.close()
        let back = try Job.decompress().output(of: output.whole)
        #expect(back.isSame(as: Self.content))
    }

    @Test func `what is damaged is an error, and no file`() async throws {
        let scratch = try Scratch()
        var bytes = try Job.compress().output(of: Self.content)
        bytes[bytes.count / 2] ^= 1
        let path = try scratch.write(bytes, to: "a.zst")
        let failure = await #expect(throws: Failure.self) {
            try await Decompression().run(from: .file(path), to: .file(scratch.path.appending("a")))
        }
        guard failure?.code == .corrupt else { return #expect(failure == nil) }
        #expect(scratch.names == ["a.zst"])
    }

    @Test func `nobody who takes the output is an error, and not the end of the process`() async throws {
        let (source, sink) = (try Pipe(), try Pipe())
        defer { source.close() }
        sink.closeReading()
        source.feed(Self.content)
        await #expect(throws: Failure.writing(.brokenPipe)) {
            try await Self.small.run(from: .descriptor(source.reading), to: .descriptor(sink.writing))
        }
        sink.close()
    }

    /// The seconds from when a Task is cancelled to when it has ended.
    static func cancelled(
        after seconds: Double = 0.3, _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> Double {
        let task = Task { try await body() }
        try await Task.sleep(for: .seconds(seconds))
        let start = ContinuousClock.now
        task.cancel()
        let outcome = await task.result
        #expect(throws: Failure.cancelled) { try outcome.get() }
        return (ContinuousClock.now - start) / .seconds(1)
    }

    @Test func `a Task that waits on a silent input ends when it is cancelled, and leaves nothing`() async throws {
        let (scratch, source) = (try Scratch(), try Pipe())
        defer { source.close() }
        source.feed(sample(100_000), isSilent: true)
        let seconds = try await Self.cancelled {
            try await Self.small.run(from: .descriptor(source.reading), to: .file(scratch.path.appending("a")))
        }
        #expect(seconds < Self.patience)
        #expect(scratch.names.isEmpty)
    }

    @Test func `a Task whose output nobody takes ends when it is cancelled`() async throws {
        let (source, sink) = (try Pipe(), try Pipe())
        source.feed(Self.content)
        let seconds = try await Self.cancelled {
            try await Self.small.run(from: .descriptor(source.reading), to: .descriptor(sink.writing))
        }
        #expect(seconds < Self.patience)
        sink.close()
        source.close()
    }

    @Test func `a Task in the middle of a large frame ends when it is cancelled, and leaves nothing`() async throws {
        let scratch = try Scratch()
        let path = try scratch.write(patchwork(24 << 20), to: "a")
        let progress = RunProgress()
        _ = try await Self.cancelled {
            let compression = Compression(CompressionOptions(level: 22, frameSize: 24 << 20))
            let output = RunOutput.file(scratch.path.appending("a.zst"))
            try await compression.run(from: .file(path), to: output, options: RunOptions(progress: progress))
        }
        // The worker has not ended it yet.
        #expect(progress.current.bytesDone == 0)
        #expect(scratch.names == ["a"])
    }

    @Test func `a Task that was cancelled before begins nothing`() async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.content, to: "a")
        let seconds = try await Self.cancelled(after: 0) {
            while !Task.isCancelled { await Task.yield() }
            try await Self.small.run(from: .file(path), to: .file(scratch.path.appending("a.zst")))
        }
        #expect(seconds < Self.patience)
        #expect(scratch.names == ["a"])
    }

    @Test func `a hundred runs at once all end`() async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.content, to: "a")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                let output = scratch.path.appending("\(number)")
                group.addTask {
                    try await Self.small.run(from: .file(path), to: .file(output, isSynced: false))
                }
            }
            try await group.waitForAll()
        }
        let expected = try Job.compress().output(of: Self.content)
        for number in 0..<100 { #expect(try scratch.content("\(number)").isSame(as: expected)) }
        #expect(await soon { WorkerPool.shared.available == availableProcessors() })
    }

    @Test func `runs that wait keep no thread of Swift's and Dispatch's waiting`() async throws {
        let pipes = try (0..<40).map { _ in (try Pipe(), try Pipe()) }
        let tasks = pipes.map { source, sink in
            source.feed(Self.content, isSilent: true)
            return Task {
                try await Self.small.run(from: .descriptor(source.reading), to: .descriptor(sink.writing))
            }
        }
        try await Task.sleep(for: .seconds(0.5))
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        DispatchQueue.global().async { continuation.resume() }
                    }
                }
            }
        }
        #expect(ContinuousClock.now - start < .seconds(Self.patience))
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        for (source, sink) in pipes {
            sink.close()
            source.close()
        }
    }

    @Test func `progress ends with what the run did`() async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.content, to: "a")
        let progress = RunProgress()
        async let summary = Self.small.run(
            from: .file(path), to: .file(scratch.path.appending("b")), options: RunOptions(progress: progress))
        var last = RunProgress.Totals()
        for await totals in progress {
            #expect(totals.bytesIn >= last.bytesIn && totals.bytesOut >= last.bytesOut)
            last = totals
        }
        let done = try await summary
        #expect(last.bytesIn == done.bytesIn && last.bytesOut == done.bytesOut)
        #expect(last.bytesDone == done.contentSize)
    }
}
