import ByteStreams
import Dispatch
import ForeignCodec
import Glibc
import StreamTestSupport
import TestSupport
import Testing

@testable import Sluice

@Suite(.timeLimit(.minutes(3)))
struct MemberCutterTests {
    /// How a foreign input is made, small, but of several chunks.
    enum Made: CaseIterable {
        case members, blocks, unsizedBlocks, streams

        /// Every position of blocks is tried; of the others, some.
        var stride: Int { self == .blocks ? 1 : 7 }

        /// Zeros make blocks that are large enough for a chunk small enough to try every byte.
        var content: [UInt8] {
            switch self {
            case .members: sample(400)
            case .blocks, .unsizedBlocks, .streams: [UInt8](repeating: 0, count: (2 << 20) + 5)
            }
        }

        var input: [UInt8] {
            switch self {
            case .members: sizedMembers(content, of: 10)
            case .blocks: xzBlocks(content, of: 1 << 20)
            case .unsizedBlocks: xzBlocks(content, of: 1 << 20, saysSizes: false)
            case .streams:
                xzBlocks(Array(content.prefix(1 << 20)), of: 1 << 20) + [0, 0, 0, 0]
                    + xzBlocks(Array(content.dropFirst(1 << 20)), of: 1 << 20)
            }
        }
    }

    /// What one worker makes of an input that is not cut, and what several make of its members.
    private static func outcomes(of input: [UInt8]) -> (one: Outcome, several: Outcome) {
        (
            Job.decompress(threads: 1).outcomeInMemory(of: input),
            Job.decompress(threads: 3).outcomeInMemory(of: input)
        )
    }

    private static func expectSame(_ input: [UInt8], _ words: String) {
        let (one, several) = outcomes(of: input)
        #expect(several.failure == one.failure, "\(words)")
        #expect(several.bytes.isSame(as: one.bytes), "\(words): \(several.bytes.count), not \(one.bytes.count)")
    }

    @Test(arguments: Made.allCases)
    func `what is cut is the same error as for one worker, behind the same content`(made: Made) async throws {
        try await within {
            let input = made.input
            for count in stride(from: 4, to: input.count, by: made.stride) {
                Self.expectSame(Array(input[..<count]), "\(made) cut at \(count)")
            }
        }
    }

    @Test(arguments: Made.allCases)
    func `a bit that is flipped makes the same difference as for one worker`(made: Made) async throws {
        try await within {
            let input = made.input
            for position in stride(from: 0, to: input.count, by: made.stride) {
                var damaged = input
                damaged[position] ^= position % 2 == 0 ? 0x01 : 0x80
                Self.expectSame(damaged, "\(made) flipped at \(position)")
            }
        }
    }

    @Test(arguments: Made.allCases, [1, 4096, 1 << 20])
    func `it does not matter how the input comes`(made: Made, piece: Int) async throws {
        let outcome = try await within { Job.decompress(threads: 3).outcomeInMemory(of: made.input, piece: piece) }
        #expect(outcome.failure == nil)
        #expect(outcome.bytes.isSame(as: made.content))
    }

    @Test(arguments: Made.allCases, Made.allCases)
    func `any may follow any other, and other formats`(first: Made, second: Made) async throws {
        let outcome = try await within {
            let other = try frame(sample(9)) + member(sample(8), in: .gzip)
            return Job.decompress(threads: 3).outcomeInMemory(of: first.input + second.input + other + first.input)
        }
        #expect(outcome.failure == nil)
        #expect(outcome.bytes.isSame(as: first.content + second.content + sample(9) + sample(8) + first.content))
    }

    @Test(arguments: [[1], [1, 2, 3, 4], [0, 0], [0, 0, 0, 0, 1]] as [[UInt8]], Made.allCases)
    func `bytes after the end are the same error as for one worker`(trailer: [UInt8], made: Made) async throws {
        try await within { Self.expectSame(made.input + trailer, "\(made) with \(trailer)") }
    }

    /// The chunks of an input, each with its bytes.
    private static func cut(_ input: [UInt8], slotSize: UInt64 = 1 << 25) throws -> [[UInt8]] {
        let reader = try ChunkReader(
            Source(ScriptedSource(input, piece: .max)), latch: FailureLatch(), monitor: nil)
        defer { reader.close() }
        var cutter = MemberCutter(
            reader, first: (Bytes(), 0), slots: Slots(1000), slotSize: slotSize, windows: (Slots(100), above: .max),
            frameLimit: slotSize)
        cutter.findsMembers = true
        var queues: [SegmentQueue] = []
        while let content = try cutter.next() {
            if case .segments(let queue, _) = content { queues.append(queue) }
        }
        return try queues.map { queue in
            var bytes: [UInt8] = []
            while let segment = try queue.next() { bytes += segment.elements }
            return bytes
        }
    }

    @Test func `blocks become chunks, and the end of their stream one more`() async throws {
        let (held, streamed, unsized) = try await within {
            (
                try Self.cut(Made.blocks.input), try Self.cut(Made.blocks.input, slotSize: 1000),
                try Self.cut(Made.unsizedBlocks.input)
            )
        }
        #expect(held.count == 4)
        // The small third block is held.
        #expect(streamed == held)
        #expect(held.flatMap(\.self).count == Made.blocks.input.count - XzPlace.headerSize)
        #expect(unsized.count == 1)
    }

    @Test func `sixteen members share a chunk`() async throws {
        let chunks = try await within { try Self.cut(Made.members.input) }
        #expect(chunks.count == 3)
        #expect(chunks.flatMap(\.self) == Made.members.input)
    }

    @Test func `a size that leads to no other member is not trusted`() async throws {
        let (chunks, outcome) = try await within {
            var input = sizedMembers(sample(100), of: 10)
            input[16] += 1
            return (try Self.cut(input), Job.decompress(threads: 3).outcomeInMemory(of: input))
        }
        #expect(chunks.count == 1)
        #expect(outcome.failure == nil)
        #expect(outcome.bytes == sample(100))
    }

    @Test(arguments: [Made.members, .blocks])
    func `content does not wait for a producer that falls silent`(made: Made) async throws {
        let bytes = try await within {
            // The last member, or the stream's index, does not come.
            let input = Array(made.input.dropLast(made == .members ? 25 : 14))
            let source = ScriptedSource(input, piece: .max, events: [1: .silence])
            let (sink, latch, done) = (ScriptedSink(), FailureLatch(), DispatchSemaphore(value: 0))
            try startThread {
                _ = try? Job.decompress(threads: 3).run(from: Source(source), to: Sink(sink), latch: latch)
                done.signal()
            }
            while sink.bytes.count < made.content.count { usleep(1000) }
            latch.fail(.cancelled)
            source.endWaiting()
            done.wait()
            return sink.bytes
        }
        #expect(bytes.isSame(as: made.content))
    }
}
