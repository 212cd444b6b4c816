import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Frames that end where the content says.
@Suite(.timeLimit(.minutes(4)))
struct RsyncableTests {
    static let content = sample(1_500_000, seed: 3)

    private static func job(threads: Int = 2, reading: ReadingMode = .auto) -> Job {
        var options = CompressionOptions(level: 1, frameSize: 1 << 16)
        options.cutsByContent = true
        var job = Job(Compression(options), threads: threads)
        job.reading = reading
        return job
    }

    @Test(arguments: [1, 2, 7], ReadingMode.allCases)
    func `the bytes depend neither on the threads nor on who reads`(threads: Int, reading: ReadingMode) async throws {
        let (one, other) = try await within {
            (
                try Self.job(threads: 1).output(of: Self.content),
                try Self.job(threads: threads, reading: reading).output(of: Self.content)
            )
        }
        #expect(other.isSame(as: one))
        let returned = try await within { try Job.decompress().output(of: one) }
        #expect(returned.isSame(as: Self.content))
    }

    @Test(arguments: [[1, 3, 70_000, 4096, 12_345], [65_536], [1 << 20], [999]])
    func `nor on how the input arrives`(pieces: [Int]) async throws {
        let (file, pipe) = try await within {
            (
                try Self.job().output(of: Self.content),
                try Self.job().outcomeThroughPipes(of: Self.content, pieces: pieces)
            )
        }
        #expect(pipe.failure == nil)
        #expect(pipe.bytes.isSame(as: file))
    }

    @Test(arguments: [0, 1, 28_671, 28_672, 65_536, 65_537])
    func `content of every size comes back`(size: Int) async throws {
        let content = Array(Self.content[..<size])
        let returned = try await within {
            try Job.decompress().output(of: Self.job().output(of: content))
        }
        #expect(returned.isSame(as: content))
    }

    /// Holes that begin and end anywhere.
    @Test(arguments: [[], [0], [300_000, 700_001]])
    func `a sparse file becomes the frames that a file of zeros becomes`(offsets: [Int]) async throws {
        let outputs = try await within {
            let file = try NamelessFile()
            try file.descriptor.resize(to: 1_234_567)
            var content = [UInt8](repeating: 0, count: 1_234_567)
            for offset in offsets {
                _ = try file.descriptor.writeAll(toAbsoluteOffset: Int64(offset), Self.content[..<100_000])
                content.replaceSubrange(offset..<offset + 100_000, with: Self.content[..<100_000])
            }
            let sink = try NamelessFile()
            _ = try Self.job().run(from: Source(file.descriptor), to: Sink(sink.descriptor))
            return (try sink.content, try Self.job().output(of: content))
        }
        #expect(outputs.0.isSame(as: outputs.1))
    }

    @Test func `a small file is the frames that it is as one of many, or is left to a run`() async throws {
        let returned = try await within { () -> [Bool] in
            var options = CompressionOptions(level: 1, frameSize: 1 << 16)
            options.cutsByContent = true
            return try [28_672, 28_673].map { size in
                let file = try NamelessFile(Array(Self.content[..<size]))
                let operation = Compression(options)
                guard var worker = try WholeFileWorker(operation, lane: 0, monitor: nil) else { return false }
                return try worker.transform(Source(file.descriptor)) != nil
            }
        }
        #expect(returned == [true, false])
    }

    @Test(arguments: [1, 3])
    func `in one frame its blocks are cut by content, by libzstd`(threads: Int) async throws {
        var options = CompressionOptions(level: 1)
        let plain = options
        options.cutsByContent = true
        let content = sample(6 << 20)
        let (one, other, without) = try await within { [options] in
            (
                try Job(SingleFrame(options), threads: 1).output(of: content),
                try Job(SingleFrame(options), threads: threads).output(of: content),
                try Job(SingleFrame(plain), threads: 1).output(of: content)
            )
        }
        #expect(other.isSame(as: one))
        #expect(!without.isSame(as: one))
    }
}
