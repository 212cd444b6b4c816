import Dispatch
import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// What comes in slowly goes out soon, though the input has not ended.
@Suite(.timeLimit(.minutes(4)))
struct LatencyTests {
    /// Runs while `body` looks at what came out; then lets the input end.
    static func run<Result: Sendable>(
        _ job: Job, _ body: @escaping @Sendable (_ source: Pipe, _ output: Collected) throws -> Result
    ) async throws -> (Result, Outcome) {
        try await within {
            let (source, sink) = (try Pipe(), try Pipe())
            defer { source.close() }
            defer { sink.close() }
            let output = sink.collect()
            let result = Mutex<Swift.Result<Result, any Error>?>(nil)
            let group = DispatchGroup()
            DispatchQueue(label: "test.look").async(group: group) {
                let looked = Swift.Result { try body(source, output) }
                result.withLock { $0 = looked }
                source.closeWriting()
            }
            let (failure, summary) = try job.finished(from: source.reading, to: sink.writing)
            sink.closeWriting()
            group.wait()
            guard let result = try result.withLock({ try $0?.get() }) else { throw TookTooLong() }
            return (result, Outcome(bytes: output.whole, failure: failure, summary: summary))
        }
    }

    @Test func `a frame that came is decompressed, though no more comes`() async throws {
        let content = sample(1000)
        let (isThere, outcome) = try await Self.run(.decompress()) { source, output in
            try source.writing.writeAll(frame(content))
            return eventually(10) { output.count == 1000 }
        }
        #expect(isThere)
        #expect(outcome.failure == nil)
        #expect(outcome.bytes == content)
    }

    /// A frame that was flushed in its middle: its blocks can be decoded before its end comes.
    @Test func `a frame whose end does not come is decompressed as far as it came`() async throws {
        let content = sample(600_000)
        let (isThere, outcome) = try await Self.run(.decompress()) { source, output in
            let bytes = try frame(content)
            let half = bytes.count / 2
            try source.writing.writeAll(bytes[..<half])
            // Whole blocks of 128 KiB.
            let isThere = eventually(3) { output.count >= 1 << 17 }
            try source.writing.writeAll(bytes[half...])
            return isThere
        }
        #expect(isThere)
        #expect(outcome.failure == nil)
        #expect(outcome.bytes.isSame(as: content))
    }

    /// Several cores decode a frame of a pipe that may be large.
    @Test func `blocks that came are decoded on several cores, though no more come`() async throws {
        let content = sample(3_000_000)
        let (areThere, outcome) = try await Self.run(.decompress()) { source, output in
            let bytes = try rawFrame(of: content)
            let block = (1 << 17) + 3
            let counts = try [1, 2, 4, 9, 22].map { count in
                // What stands in front of a block's header, and a bit of the block behind.
                let known = output.count
                let start = known == 0 ? 0 : 6 + known / (1 << 17) * block + 1000
                try source.writing.writeAll(bytes[start..<6 + count * block + 1000])
                return eventually(5) { output.count == count << 17 }
            }
            try source.writing.writeAll(bytes[(6 + 22 * block + 1000)...])
            return counts
        }
        #expect(areThere == [true, true, true, true, true])
        #expect(outcome.failure == nil)
        #expect(outcome.bytes.isSame(as: content))
    }

    @Test func `frames that trickle in come out one by one`() async throws {
        let (areThere, outcome) = try await Self.run(.decompress()) { source, output in
            try (1...5).map { count in
                try source.writing.writeAll(frame([UInt8(count)]))
                return eventually(10) { output.count == count }
            }
        }
        #expect(areThere == [true, true, true, true, true])
        #expect(outcome.bytes == [1, 2, 3, 4, 5])
    }

    @Test func `a flush interval ends a frame early`() async throws {
        var compression = Compression(level: 1)
        compression.flushInterval = .milliseconds(100)
        let job = Job(compression, threads: 2)
        let (frames, outcome) = try await Self.run(job) { source, output in
            try source.writing.writeAll("hello".utf8)
            _ = eventually(10) { output.count > 0 }
            pause(0.05)
            let first = output.bytes
            try source.writing.writeAll(" world".utf8)
            _ = eventually(10) { output.count > first.count }
            return first
        }
        let (head, whole) = try await within {
            (try Job.decompress().output(of: frames), try Job.decompress().output(of: outcome.bytes))
        }
        #expect(head == Array("hello".utf8))
        #expect(whole == Array("hello world".utf8))
    }

    @Test func `without a flush interval a frame waits to be full`() async throws {
        let (count, outcome) = try await Self.run(.compress(frameSize: 1000)) { source, output in
            try source.writing.writeAll(sample(999))
            pause(0.5)
            return output.count
        }
        #expect(count == 0)
        #expect(outcome.bytes == (try frame(sample(999))))
    }
}
