import Dispatch
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Input that is ended by somebody, as if no more of it came.
@Suite(.timeLimit(.minutes(4)))
struct InputEndTests {
    static func job(_ end: InputEnd) -> Job {
        var compression = Compression(level: 1, frameSize: 1 << 16)
        compression.flushInterval = .seconds(60)
        var job = Job(compression, threads: 2)
        job.inputEnd = end
        return job
    }

    @Test(arguments: [0, 1, 1000, 300_000])
    func `what came of a pipe that falls silent is all of it`(count: Int) async throws {
        let content = sample(count)
        let outcome = try await within {
            let (source, sink, end) = (try Pipe(), try Pipe(), InputEnd())
            defer { source.close() }
            defer { sink.close() }
            source.feed(content, isSilent: true)
            let output = sink.collect()
            DispatchQueue(label: "test.end").asyncAfter(deadline: .now() + 0.4) { _ = end.ask() }
            let (failure, summary) = try Self.job(end).finished(from: source.reading, to: sink.writing)
            sink.closeWriting()
            #expect(end.isAsked)
            #expect(!end.ask())
            return Outcome(bytes: output.whole, failure: failure, summary: summary)
        }
        #expect(outcome.failure == nil)
        #expect(outcome.summary?.bytesIn == count)
        #expect(try Job.decompress().output(of: outcome.bytes).isSame(as: content))
    }

    @Test func `a file is not ended, for what was read of it is not a whole`() async throws {
        let content = sample(1 << 20)
        try await within {
            let end = InputEnd()
            let source = try NamelessFile(content)
            let sink = try NamelessFile()
            #expect(!end.ask())
            let (failure, _) = try Self.job(end).finished(from: source.descriptor, to: sink.descriptor)
            #expect(failure == nil)
            #expect(try Job.decompress().output(of: sink.content).isSame(as: content))
        }
    }

    @Test func `nobody is asked before a run, or after it`() async throws {
        try await within {
            let end = InputEnd()
            #expect(!end.ask())
            #expect(!end.isAsked)
            let source = try Pipe()
            let sink = try NamelessFile()
            source.feed([1, 2, 3])
            let (failure, _) = try Self.job(end).finished(from: source.reading, to: sink.descriptor)
            source.close()
            #expect(failure == nil)
            #expect(!end.ask())
            #expect(!end.isAsked)
        }
    }
}
