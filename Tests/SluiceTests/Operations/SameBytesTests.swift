import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// The output depends on the input and the options only: never on threads, timing, or how the input arrived.
@Suite(.timeLimit(.minutes(4)))
struct SameBytesTests {
    static let content = sample(1_500_000)
    static let pieces = [[1, 3, 70_000, 4096, 12_345], [65_536], [1 << 20], [999]]

    @Test(arguments: [2, 7, 16])
    func `compressed bytes do not depend on the threads`(threads: Int) async throws {
        let (one, many) = try await within {
            (
                try Job.compress(threads: 1).output(of: Self.content),
                try Job.compress(threads: threads).output(of: Self.content)
            )
        }
        #expect(many.isSame(as: one))
    }

    @Test(arguments: [1, 2, 7, 16])
    func `decompressed bytes do not depend on the threads`(threads: Int) async throws {
        let returned = try await within {
            try Job.decompress(threads: threads).output(of: Job.compress().output(of: Self.content))
        }
        #expect(returned.isSame(as: Self.content))
    }

    @Test(arguments: pieces)
    func `compressed bytes do not depend on how the input arrives`(pieces: [Int]) async throws {
        let (file, pipe) = try await within {
            (
                try Job.compress().output(of: Self.content),
                try Job.compress().outcomeThroughPipes(of: Self.content, pieces: pieces)
            )
        }
        #expect(pipe.failure == nil)
        #expect(pipe.bytes.isSame(as: file))
    }

    @Test(arguments: pieces)
    func `decompressed bytes do not depend on how the input arrives`(pieces: [Int]) async throws {
        let pipe = try await within {
            try Job.decompress().outcomeThroughPipes(of: Job.compress().output(of: Self.content), pieces: pieces)
        }
        #expect(pipe.failure == nil)
        #expect(pipe.bytes.isSame(as: Self.content))
    }

    /// Six jobs of libzstd's workers at level 1.
    @Test(arguments: [2, 7, 16])
    func `one frame has the same bytes for any number of threads`(threads: Int) async throws {
        let content = sample(10 << 20)
        let (one, many, pipe) = try await within {
            let operation = SingleFrame(.init(level: 1))
            return (
                try Job(operation, threads: 1).output(of: content),
                try Job(operation, threads: threads).output(of: content),
                try Job(operation, threads: threads).outcomeThroughPipes(of: content, pieces: [70_001, 1, 300_000])
            )
        }
        #expect(many.isSame(as: one))
        #expect(pipe.failure == nil)
        #expect(pipe.bytes.isSame(as: one))
    }

    @Test(arguments: StoppingTests.Kind.allCases, [(1, 0), (1, 1), (2, 0), (2, 5)])
    func `the slots bound what is in flight, not what can be done`(
        kind: StoppingTests.Kind, numbers: (threads: Int, spareSlots: Int)
    ) async throws {
        let (threads, spareSlots) = numbers
        let outcome = try await within(10) {
            var job = kind.job
            (job.threads, job.spareSlots) = (threads, spareSlots)
            return try job.outcome(of: kind == .decompress ? repeatedFrame(blocks: 2000) : Self.content)
        }
        #expect(outcome.failure == nil)
    }

    @Test func `a run begins where its descriptors stand`() async throws {
        let (returned, head) = try await within {
            let source = try NamelessFile([1, 2, 3] + Self.content)
            let sink = try NamelessFile([9, 9])
            try source.descriptor.seek(offset: 3, from: .start)
            try sink.descriptor.seek(offset: 2, from: .start)
            _ = try Job.compress().run(from: Source(source.descriptor), to: Sink(sink.descriptor))
            let bytes = try sink.content
            return (try Job.decompress().output(of: Array(bytes.dropFirst(2))), Array(bytes.prefix(2)))
        }
        #expect(returned.isSame(as: Self.content))
        #expect(head == [9, 9])
    }

    @Test func `without a sink nothing is written, and everything is checked`() async throws {
        let compressed = try await within { try Job.compress().output(of: Self.content) }
        var damaged = compressed
        damaged[compressed.count / 2] ^= 1
        let outcomes = try await within { [damaged] in
            try [compressed, damaged].map {
                let source = try NamelessFile($0)
                return try Job.decompress().finished(from: source.descriptor, to: nil)
            }
        }
        #expect(outcomes[0].1?.contentSize == Self.content.count)
        #expect(outcomes[0].1?.bytesOut == 0)
        #expect(outcomes[1].0 != nil)
    }
}
