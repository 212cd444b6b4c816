import StreamTestSupport
import SystemPackage
import Testing

@testable import SluiceEngine

/// Which way a run goes, and what keeps it from another.
@Suite(.timeLimit(.minutes(4)))
struct FastPathTests {
    private static let size = 100_000

    /// A run that is free to take every path.
    private static var free: Job { Job(Compression(level: 1), threads: 2) }

    /// What keeps a run of a small file, or of a large one, to a file that is synced from a path.
    private static func obstacle(to path: FastPath, _ job: Job, size: Int = size) throws -> Obstacle? {
        let source = try NamelessFile()
        try source.descriptor.resize(to: Int64(size))
        let output = try NamelessFile()
        return job.obstacle(
            to: path, from: try Source(source.descriptor), to: try Sink(output.descriptor, isSynced: true))
    }

    @Test func `a run of which nothing is asked takes every path that its file system has`() throws {
        let found = try FastPath.allCases.map { try Self.obstacle(to: $0, Self.free) }
        #expect(found.allSatisfy { $0 == nil || $0 == .fileSystem })
    }

    @Test(arguments: FastPath.allCases)
    func `a limited rate keeps a run from each path on which it would not be kept`(path: FastPath) throws {
        var job = Self.free
        job.rateLimit = RateLimit(bytesPerSecond: 1 << 20)
        let found = try Self.obstacle(to: path, job)
        #expect(path == .pastCache ? found == nil || found == .fileSystem : found == .rateLimit)
    }

    @Test(arguments: [
        (Obstacle.watched, [FastPath.whole]), (.described, [.whole, .batch]), (.waiting, [.batch]), (.chain, [.batch]),
        (.readBack, [.batch]),
    ])
    func `what the caller says keeps a run from these paths alone`(said: Obstacle, paths: [FastPath]) throws {
        var job = Self.free
        job.saidObstacles = [said]
        let hindered = try FastPath.allCases.filter { try Self.obstacle(to: $0, job) == said }
        #expect(hindered == paths)
    }

    @Test func `a large input, one of a pipe that goes on, and a stream of segments are not done as a whole`() throws {
        #expect(try Self.obstacle(to: .whole, Self.free, size: 5 << 20) == .size)
        let pipe = try Pipe()
        defer { pipe.close() }
        #expect(Self.free.obstacle(to: .whole, from: try Source(pipe.reading), to: nil) == .size)
        #expect(try Self.obstacle(to: .whole, Job(SingleFrame(.init(level: 1)))) == .operation)
        #expect(try Self.obstacle(to: .whole, Job(Compression(level: 22)), size: 4 << 20) == .memory)
    }

    @Test func `only plain content that nobody hashes is read by workers`() throws {
        var hashing = Self.free
        hashing.hash = try HashFunction("sha256")
        var other = Self.free
        other.reading = .dispatch
        #expect(try Self.obstacle(to: .readingInWorkers, hashing) == .hash)
        #expect(try Self.obstacle(to: .readingInWorkers, other) == .dispatch)
        #expect(try Self.obstacle(to: .readingInWorkers, Job(Decompression())) == .decoding)
    }

    @Test func `only compressed data that is synced goes past the page cache`() throws {
        #expect(try Self.obstacle(to: .pastCache, Job(Decompression())) == .content)
        let source = try NamelessFile()
        let output = try NamelessFile()
        let found = Self.free.obstacle(
            to: .pastCache, from: try Source(source.descriptor), to: try Sink(output.descriptor))
        #expect(found == .unsynced)
    }
}
