import StreamTestSupport
import SystemPackage
import Testing

@testable import Sluice
@testable import SluiceEngine

/// What a run left: its output up to where it ended, and how it ended.
struct Outcome: Sendable {
    var bytes: [UInt8]
    var failure: Failure?
    var summary: Summary?
}

extension Job {
    /// Runs from a file to a file.
    func outcome(of input: [UInt8]) throws -> Outcome {
        let source = try NamelessFile(input)
        let sink = try NamelessFile()
        let (failure, summary) = try finished(from: source.descriptor, to: sink.descriptor)
        return Outcome(bytes: try sink.content, failure: failure, summary: summary)
    }

    /// Runs from a pipe, written in pieces of these sizes, to a pipe.
    func outcomeThroughPipes(of input: [UInt8], pieces: [Int]) throws -> Outcome {
        let (source, sink) = (try Pipe(), try Pipe())
        // Lets whoever still feeds the pipe end, too.
        defer { source.close() }
        defer { sink.close() }
        source.feed(input, pieces: pieces)
        let output = sink.collect()
        let (failure, summary) = try finished(from: source.reading, to: sink.writing)
        sink.closeWriting()
        return Outcome(bytes: output.whole, failure: failure, summary: summary)
    }

    /// Runs from memory to memory, where calls may fail.
    ///
    /// - Parameters:
    ///   - piece: bytes that a read gives at most.
    ///   - events: what happens at a read in place of bytes.
    ///   - failing: the write that fails, and its error.
    func outcomeInMemory(
        of input: [UInt8], piece: Int = .max, events: [Int: ScriptedSource.Event] = [:],
        failing: (write: Int, error: Errno)? = nil
    ) -> Outcome {
        let sink = ScriptedSink(failing: failing)
        do throws(Failure) {
            let summary = try run(from: Source(ScriptedSource(input, piece: piece, events: events)), to: Sink(sink))
            return Outcome(bytes: sink.bytes, failure: nil, summary: summary)
        } catch {
            return Outcome(bytes: sink.bytes, failure: error, summary: nil)
        }
    }

    /// The output of a run from a file to a file that succeeds.
    func output(of input: [UInt8]) throws -> [UInt8] {
        let outcome = try outcome(of: input)
        if let failure = outcome.failure { throw failure }
        return outcome.bytes
    }

    /// Runs, and catches the failure.
    func finished(
        from source: FileDescriptor, to sink: FileDescriptor?, latch: FailureLatch = FailureLatch()
    ) throws -> (Failure?, Summary?) {
        let (source, sink) = (try Source(source), try sink.map { sink throws(Failure) in try Sink(sink) })
        do throws(Failure) {
            return (nil, try run(from: source, to: sink, latch: latch))
        } catch {
            return (error, nil)
        }
    }

    static func decompress(threads: Int = 2) -> Job { Job(Decompression(), threads: threads) }

    static func compress(level: Int = 1, frameSize: Int = 1 << 16, threads: Int = 2) -> Job {
        Job(Compression(level: level, frameSize: frameSize), threads: threads)
    }
}
