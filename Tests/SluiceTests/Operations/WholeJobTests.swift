import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// The short way of a small input: as the long one, or left to it with everything as it was.
@Suite(.timeLimit(.minutes(4)))
struct WholeJobTests {
    /// What the short way left.
    struct Left {
        /// Nil if it was left to the long way.
        var summary: Summary?
        var output: [UInt8] = []
        /// What the long way makes of the input after that.
        var rest: [UInt8] = []
        var failure: Failure?
    }

    /// Who gives the input.
    enum Origin: CaseIterable {
        case file, pipe
    }

    static let content = sample(50_000)

    /// Goes the short way, and then the long one with what is left of the input.
    private static func run(_ job: Job, _ input: [UInt8], from origin: Origin) throws -> Left {
        let file = try NamelessFile(origin == .file ? input : [])
        let pipe = try Pipe()
        defer { pipe.close() }
        if origin == .pipe {
            try pipe.writing.writeAll(input)
            pipe.closeWriting()
        }
        let output = try NamelessFile()
        let rest = try NamelessFile()
        var source = try Source(origin == .file ? file.descriptor : pipe.reading)
        var left = Left()
        left.summary = try job.runWhole(from: &source, to: try Sink(output.descriptor), latch: FailureLatch())
        left.output = try output.content
        let long = Job(job.operation, threads: 2)
        if left.summary == nil {
            do throws(Failure) { _ = try long.run(from: source, to: try Sink(rest.descriptor)) } catch {
                left.failure = error
            }
        }
        left.rest = try rest.content
        return left
    }

    @Test(arguments: Origin.allCases, [1, 1000, 50_000])
    func `it makes the bytes of the long way`(origin: Origin, count: Int) async throws {
        let content = Array(Self.content.prefix(count))
        let (compressed, returned, long) = try await within {
            var job = Job.compress()
            job.hash = try HashFunction("sha256")
            let compressed = try Self.run(job, content, from: origin)
            let returned = try Self.run(.decompress(), compressed.output, from: origin)
            return (compressed, returned, try job.outcome(of: content))
        }
        #expect(compressed.output.isSame(as: long.bytes))
        #expect(returned.output.isSame(as: content))
        #expect(compressed.summary?.bytesIn == long.summary?.bytesIn)
        #expect(compressed.summary?.bytesOut == long.summary?.bytesOut)
        #expect(compressed.summary?.contentSize == long.summary?.contentSize)
        #expect(compressed.summary?.contentHash == long.summary?.contentHash)
        #expect(compressed.summary?.contentHash != nil)
        #expect(returned.summary?.contentSize == count)
    }

    @Test func `an empty pipe becomes what it becomes the long way`() async throws {
        let (short, long) = try await within {
            (try Self.run(.compress(), [], from: .pipe), try Job.compress().outcomeThroughPipes(of: [], pieces: [1]))
        }
        #expect(short.output == long.bytes)
        #expect(short.summary != nil)
    }

    @Test(arguments: Origin.allCases)
    func `what is more than a chunk is left as it was`(origin: Origin) async throws {
        let (left, long) = try await within {
            let job = Job.compress(frameSize: 1 << 15)
            return (try Self.run(job, Self.content, from: origin), try job.output(of: Self.content))
        }
        #expect(left.summary == nil)
        #expect(left.output.isEmpty)
        #expect(left.rest.isSame(as: long))
    }

    @Test(arguments: Origin.allCases)
    func `content that is more than a chunk is left as it was`(origin: Origin) async throws {
        let content = [UInt8](repeating: 7, count: 5 << 20)
        let left = try await within { try Self.run(.decompress(), try frame(content), from: origin) }
        #expect(left.summary == nil)
        #expect(left.output.isEmpty)
        #expect(left.rest.isSame(as: content))
    }

    @Test(arguments: Origin.allCases)
    func `damage is left to the long way, which writes what comes before it`(origin: Origin) async throws {
        var damaged = try frame(Self.content) + frame(Self.content)
        damaged[damaged.count - 1] ^= 1
        let (left, long) = try await within { [damaged] in
            (try Self.run(.decompress(), damaged, from: origin), try Job.decompress().outcome(of: damaged))
        }
        #expect(left.summary == nil)
        #expect(left.output.isEmpty)
        #expect(left.rest.isSame(as: long.bytes))
        #expect(left.failure == long.failure)
        #expect(long.failure != nil)
    }

    @Test(arguments: Origin.allCases)
    func `other formats are left to the long way`(origin: Origin) async throws {
        let left = try await within {
            try Self.run(.decompress(), member(Self.content, in: .gzip), from: origin)
        }
        #expect(left.summary == nil)
        #expect(left.rest.isSame(as: Self.content))
    }

    @Test func `what follows frames in another format is left to a run, and in no format is a failure`() throws {
        let frames = try frame(Self.content) + frame([1])
        let other = try NamelessFile(frames + member(Self.content, in: .gzip))
        let unknown = try NamelessFile(frames + Array("text".utf8))
        let operation = Decompression()
        guard var worker = try WholeFileWorker(operation, lane: 0, monitor: nil) else {
            Issue.record("small files are decompressed as wholes")
            return
        }
        let summary = try worker.transform(Source(other.descriptor))
        #expect(summary == nil)
        let source = try Source(unknown.descriptor)
        var failure: Failure?
        do throws(Failure) { _ = try worker.transform(source) } catch { failure = error }
        #expect(failure == .codec(.trailingBytes(offset: UInt64(frames.count))))
    }

    @Test func `a pipe to which more may come is not read`() async throws {
        let count = try await within {
            let pipe = try Pipe()
            defer { pipe.close() }
            try pipe.writing.writeAll([1, 2, 3])
            var source = try Source(pipe.reading)
            let summary = try Job.compress().runWhole(from: &source, to: nil, latch: FailureLatch())
            #expect(summary == nil)
            var bytes = [UInt8](repeating: 0, count: 10)
            return try bytes.withUnsafeMutableBytes { try pipe.reading.read(into: $0) }
        }
        #expect(count == 3)
    }

    @Test func `an error of writing, a file that shrank and one that can't be read are failures`() throws {
        let file = try NamelessFile(Self.content)
        let full = try FileDescriptor.open("/dev/full", .writeOnly)
        defer { try? full.close() }
        var source = try Source(file.descriptor)
        #expect(throws: Failure.writing(.noSpace)) {
            try Job.compress().runWhole(from: &source, to: try Sink(full), latch: FailureLatch())
        }
        _ = try file.descriptor.seek(offset: 0, from: .start)
        try file.descriptor.resize(to: 5)
        #expect(throws: Failure.sourceShrank(expected: 50_000, read: 5)) {
            try Job.compress().runWhole(from: &source, to: nil, latch: FailureLatch())
        }
        let scratch = try Scratch()
        let unreadable = try FileDescriptor.open(
            scratch.path.appending("f"), .writeOnly, options: .create, permissions: .ownerReadWrite)
        defer { try? unreadable.close() }
        _ = try unreadable.writeAll([1])
        _ = try unreadable.seek(offset: 0, from: .start)
        #expect(throws: Failure.reading(.badFileDescriptor)) {
            var other = try Source(unreadable)
            _ = try Job.compress().runWhole(from: &other, to: nil, latch: FailureLatch())
        }
    }

    @Test func `a file that grew is left as it was`() throws {
        let file = try NamelessFile(Self.content)
        var source = try Source(file.descriptor)
        try file.descriptor.writeAll(toAbsoluteOffset: 50_000, [1])
        let summary = try Job.compress().runWhole(from: &source, to: nil, latch: FailureLatch())
        #expect(summary == nil)
        #expect(try file.descriptor.seek(offset: 0, from: .current) == 0)
    }

    @Test func `nothing is written when the run was ended before`() throws {
        let file = try NamelessFile(Self.content)
        let output = try NamelessFile()
        var source = try Source(file.descriptor)
        let latch = FailureLatch()
        latch.fail(.cancelled)
        #expect(throws: Failure.cancelled) {
            try Job.compress().runWhole(from: &source, to: try Sink(output.descriptor), latch: latch)
        }
        #expect(try output.content.isEmpty)
    }

    @Test func `what has a rate, waits for a disk or is read by somebody in particular takes the long way`() throws {
        let file = try NamelessFile(Self.content)
        var jobs = [Job](repeating: .compress(), count: 3)
        jobs[0].rateLimit = RateLimit(bytesPerSecond: 1 << 30)
        jobs[1].fullDisk = FullDisk()
        jobs[2].reading = .dispatch
        for job in jobs {
            var source = try Source(file.descriptor)
            #expect(try job.runWhole(from: &source, to: nil, latch: FailureLatch()) == nil)
        }
    }

    @Test func `what may take much memory asks first how much there is`() throws {
        let file = try NamelessFile(Self.content)
        try file.descriptor.resize(to: 4 << 20)
        var source = try Source(file.descriptor)
        let job = Job(Compression(level: 22), threads: 1)
        #expect(try job.runWhole(from: &source, to: nil, latch: FailureLatch()) == nil)
    }

    @Test func `an empty file is at hand, and one of the kernel that claims to be empty is not`() throws {
        let empty = try NamelessFile()
        #expect(try Source(empty.descriptor).sizeAtHand == 0)
        let claiming = try FileDescriptor.open("/proc/self/status", .readOnly)
        defer { try? claiming.close() }
        #expect(try Source(claiming).sizeAtHand == nil)
    }
}
