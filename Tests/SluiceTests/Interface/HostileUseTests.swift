import CFaults
import Dispatch
import Glibc
import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import ByteStreams
@testable import ChunkPipeline
@testable import Sluice
@testable import SluiceEngine

/// A server passes on what others send: no value, path, descriptor or sequence ends the process, hangs it, or keeps
/// other runs from their work.
@Suite(.timeLimit(.minutes(4)))
struct HostileUseTests {
    static let content = sample(300_000)
    static let small = Compression(level: 1, frameSize: 1 << 16)

    @Test(arguments: [.min, -1, 0, 1, 3, 1025, .max / 2, .max])
    func `any number of threads makes the same bytes, or is refused`(threads: Int) async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.content, to: "a")
        let packed = scratch.path.appending("a.zst")
        guard threads > 0 else {
            let failure = await #expect(throws: Failure.self) {
                try await Self.small.run(from: .file(path), to: .file(packed), options: RunOptions(threads: threads))
            }
            #expect(failure?.code == .invalidOption && Job.threads(threads) == 1)
            return #expect(scratch.names == ["a"])
        }
        try await Self.small.run(from: .file(path), to: .file(packed), options: RunOptions(threads: threads))
        #expect(try scratch.content("a.zst").isSame(as: Job.compress().output(of: Self.content)))
        let file = try CompressedFile(at: packed, options: .init(cacheSize: threads, threads: threads))
        #expect(try file.read(0..<Self.content.count).isSame(as: Self.content))
        #expect(try await file.buffers().collected().isSame(as: Self.content))
        #expect((1...Job.mostThreads).contains(Job.threads(threads)))
    }

    @Test(arguments: [.min, -1_000_000, -5, -1, 0, 7, 299_999, 300_000, .max])
    func `any offset gives what its range gives`(offset: Int) throws {
        let file = try NamelessFile(Job.compress().output(of: Self.content))
        let compressed = try CompressedFile(file.descriptor)
        for count in [0, 1, 8, 70_000] {
            let bytes = try [UInt8](capacity: count) { memory throws(Failure) in
                try compressed.read(from: offset, into: &memory)
            }
            let end = offset.addingReportingOverflow(count)
            #expect(try bytes == compressed.read(offset..<(end.overflow ? .max : end.partialValue)))
        }
    }

    @Test(arguments: [.min, -1, 0, 1, 2, 1_000_000, 1_000_001, .max])
    func `any number of shares divides the content`(count: Int) throws {
        let file = try NamelessFile(Job.compress().output(of: Self.content))
        let shares = try CompressedFile(file.descriptor).shares(count)
        #expect(shares.count == min(max(1, count), 1_000_000))
        var end = 0
        for share in shares where share.lowerBound == end { end = share.upperBound }
        #expect(end == Self.content.count)
    }

    @Test(arguments: ["\0", "a\0", "a\0.zst", "\0a"])
    func `a path with a zero byte is refused, and no other file is touched`(name: String) async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.content, to: "a").string
        let packed = path + ".zst"
        try await Self.small.run(from: .file(path), to: .file(packed))
        let bad = scratch.path.string + "/" + name
        let tries: [@Sendable () async throws -> Void] = [
            { try await Self.small.run(from: .file(bad), to: .nothing) },
            { try await Self.small.run(from: .file(path), to: .file(bad, isReplacing: true)) },
            { _ = try CompressedFile(at: bad) },
            { _ = try await CompressedFile.open(at: bad) },
            {
                let file = try NamelessFile(Self.content)
                _ = try IndexFile(at: bad).read(for: Source(file.descriptor))
            },
        ]
        for attempt in tries {
            let failure = await #expect(throws: Failure.self) { try await attempt() }
            let sentence = failure.map { "\($0)" } ?? "no failure"
            #expect(failure?.code == .file && failure?.errno == .invalidArgument, "\(sentence)")
        }
        #expect(scratch.names == ["a", "a.zst"])
        #expect(try scratch.content("a").isSame(as: Self.content))
    }

    /// What the number of a descriptor may stand for in a program.
    enum Thing: CaseIterable {
        case writeEnd, readEnd, epoll, inotify, timer, listening, writeOnly, readOnly, path, folder, closed

        /// Whether a run could read it, and write it.
        var uses: (input: Bool, output: Bool) {
            switch self {
            case .writeEnd, .writeOnly: (false, true)
            case .readEnd, .readOnly: (true, false)
            default: (false, false)
            }
        }

        /// Swift's Glibc has no header for it.
        private static func makeTimer() -> Int32 {
            typealias Make = @convention(c) (_ clock: Int32, _ flags: Int32) -> Int32
            return dlsym(nil, "timerfd_create").map { unsafeBitCast($0, to: Make.self)(CLOCK_MONOTONIC, 0) } ?? -1
        }

        /// - Parameter path: a file.
        func with(_ path: String, _ body: (FileDescriptor) async throws -> Void) async throws {
            let pipe = try Pipe()
            defer { pipe.close() }
            let number =
                switch self {
                case .writeEnd: dup(pipe.writing.rawValue)
                case .readEnd: dup(pipe.reading.rawValue)
                case .epoll: epoll_create1(0)
                case .inotify: inotify_init1(0)
                case .timer: Self.makeTimer()
                case .listening: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                case .writeOnly: open(path, O_WRONLY)
                case .readOnly: open(path, O_RDONLY)
                case .path: open(path, 0o10000000)
                case .folder: open("/", O_RDONLY)
                case .closed: Int32(1000)
                }
            if self == .listening {
                // The kernel gives it an address.
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                let size = socklen_t(MemoryLayout<sa_family_t>.size)
                let code = withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, size) }
                }
                #expect(code == 0 && listen(number, 1) == 0)
            }
            defer { if self != .closed { close(number) } }
            try await body(FileDescriptor(rawValue: number))
        }
    }

    @Test(arguments: Thing.allCases)
    func `a descriptor that can't be used is refused at once`(thing: Thing) async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.content, to: "a").string
        let open = openDescriptors().count
        try await thing.with(path) { descriptor in
            if !thing.uses.input {
                let failure = await #expect(throws: Failure.self) {
                    try await Self.small.run(from: .descriptor(descriptor), to: .nothing)
                }
                #expect(failure?.code == .reading)
                #expect(throws: Failure.self) { try CompressedFile(descriptor) }
            }
            if !thing.uses.output {
                let failure = await #expect(throws: Failure.self) {
                    try await Self.small.run(from: .file(path), to: .descriptor(descriptor))
                }
                #expect(failure?.code == .writing)
            }
        }
        #expect(await soon { openDescriptors().count <= open })
    }

    /// Empty buffers, for ever, whoever is cancelled.
    private struct Nothing: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let asked: Count

        func makeAsyncIterator() -> Nothing { self }

        mutating func next() async -> [UInt8]? {
            asked.add(1)
            return []
        }
    }

    @Test
    func `a sequence of nothing is not asked for more when its run was cancelled, and leaves others their thread`()
        async throws
    {
        let asked = (0..<availableProcessors() + 2).map { _ in Count() }
        let tasks = asked.map { count in
            Task { try await Self.small.run(from: Nothing(asked: count), to: .nothing) }
        }
        // Goes on only if Tasks do.
        #expect(await soon { asked.allSatisfy { $0.value > 0 } })
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        // A last one may be under way.
        try await Task.sleep(for: .milliseconds(200))
        let before = asked.map(\.value)
        try await Task.sleep(for: .milliseconds(200))
        #expect(asked.map(\.value) == before)
    }

    @Test func `runs from files to files that wait for something keep no others from starting`() async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.content, to: "a")
        let (mayEnd, waiting) = (DispatchSemaphore(value: 0), Count())
        let count = availableProcessors() + 1
        let slow = RateLimit(bytesPerSecond: 1)
        let tasks = (0..<count).flatMap { number in
            [
                RunOptions(isComplete: {
                    waiting.add(1)
                    mayEnd.wait()
                    return true
                }), RunOptions(rateLimit: slow),
            ].map { options in
                Task { try await Self.small.run(from: .file(path), to: .nothing, options: options) }
            }
        }
        #expect(await soon { waiting.value == count })
        try await Self.small.run(from: .file(path), to: .file(scratch.path.appending("b")))
        for task in tasks { task.cancel() }
        for _ in 0..<count { mayEnd.signal() }
        for task in tasks { _ = await task.result }
    }

    @Test func `many that open a file at once make one index, and all of them use it`() async throws {
        let scratch = try Scratch()
        let packed = try ExtractionTests.Form.silentFrames.file(Self.content)
        let path = try scratch.write(packed, to: "a.zst").string
        let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<12 {
                group.addTask {
                    let options = CompressedFile.Options(indexFile: IndexFile(at: path + ".index"))
                    let file = try await CompressedFile.open(at: path, options: options)
                    let start = number * 20_000
                    return try file.read(start..<start + 100) != Array(Self.content[start..<start + 100])
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wrong == 0)
        #expect(scratch.names == ["a.zst", "a.zst.index"])
        // That of another file stays, and is an error.
        let other = try scratch.write(ExtractionTests.Form.silentFrames.file(sample(300_000, seed: 2)), to: "b.zst")
        let failure = #expect(throws: Failure.self) {
            try CompressedFile(at: other, options: .init(indexFile: IndexFile(at: path + ".index")))
        }
        #expect(failure?.code == .wrongIndex)
    }
}
