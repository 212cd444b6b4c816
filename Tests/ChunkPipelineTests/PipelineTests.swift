import Dispatch
import Glibc
import StreamTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import ByteStreams
@testable import ChunkPipeline

/// The whole way from a source to a sink, without a codec: every byte is inverted.
@Suite(.timeLimit(.minutes(4)))
struct PipelineTests {
    private static let content = sample(41_234)
    private static let inverted = content.map { ~$0 }

    @Test(arguments: [(1, 1), (2, 1), (7, 1), (1, 999), (2, 999), (7, 999), (3, 41_234)], [false, true])
    func `the bytes come in their order, however long each takes`(
        _ counts: (workers: Int, chunkSize: Int), isSegmented: Bool
    ) async throws {
        let content = counts.chunkSize == 1 ? Array(Self.content.prefix(500)) : Self.content
        let (bytes, failure) = try await within {
            let sink = ScriptedSink()
            var run = InvertingRun(chunkSize: counts.chunkSize, workers: counts.workers)
            if isSegmented { run.segments = .max }
            run.isSlow = true
            let failure = try run.run(from: ScriptedSource(content, piece: 777), to: sink)
            return (sink.bytes, failure)
        }
        #expect(bytes.isSame(as: content.map { ~$0 }))
        #expect(failure == nil)
    }

    @Test(arguments: 0..<42, [false, true])
    func `a read that fails ends the run behind what came before it`(read: Int, isSegmented: Bool) async throws {
        let (failure, bytes) = try await within {
            let sink = ScriptedSink()
            let source = ScriptedSource(Self.content, piece: 1000, events: [read: .failure(.reading(.ioError))])
            return (try InvertingRun(segments: isSegmented ? .max : 0).run(from: source, to: sink), sink.bytes)
        }
        #expect(failure == .reading(.ioError))
        #expect(bytes.isPrefix(of: Self.inverted) && bytes.count <= 1000 * read)
        if !isSegmented { #expect(bytes.count == min(1000 * read, Self.content.count)) }
    }

    @Test(arguments: 0..<42, [false, true])
    func `a chunk that can't be transformed fails in its turn`(number: Int, isSegmented: Bool) async throws {
        let (failure, bytes) = try await within {
            let sink = ScriptedSink()
            let run = InvertingRun(
                segments: isSegmented ? .max : 0, isSlow: true, failing: UInt64(number * 1000))
            return (try run.run(from: ScriptedSource(Self.content, piece: .max), to: sink), sink.bytes)
        }
        #expect(failure == .outOfMemory)
        #expect(bytes.isSame(as: Array(Self.inverted.prefix(1000 * number))))
    }

    /// Its failure waits for its turn, behind what the sink has not taken, and all that is read meanwhile is dropped.
    @Test func `a reader does not read on for a chunk in segments whose worker has failed`() async throws {
        let (failure, calls) = try await within {
            let sink = ScriptedSink(silent: 0)
            let source = ScriptedSource(sample(1_000_000), piece: 1000)
            let calls = Locked(0)
            let run = InvertingRun(segments: .max, failing: 3000)
            let failure = try run.run(from: source, to: sink) { _ in
                DispatchQueue(label: "test.proceed").async {
                    #expect(eventually { sink.isWaiting && source.calls > 3 })
                    pause(0.05)
                    calls.withLock { $0 = source.calls }
                    sink.proceed()
                }
            }
            return (failure, calls.withLock { $0 })
        }
        #expect(failure == .outOfMemory)
        #expect(calls < 20)
    }

    @Test(arguments: 0..<42, [false, true])
    func `a write that fails ends the run behind what was written`(write: Int, isSegmented: Bool) async throws {
        let (failure, bytes) = try await within {
            let sink = ScriptedSink(failing: (write, .noSpace))
            let run = InvertingRun(segments: isSegmented ? .max : 0)
            return (try run.run(from: ScriptedSource(Self.content, piece: 1000), to: sink), sink.bytes)
        }
        if bytes.count == Self.content.count { return #expect(failure == nil) }
        #expect(failure == .writing(.noSpace))
        #expect(bytes.isPrefix(of: Self.inverted))
    }

    /// The worker of the chunk before waits for room, and its output for slots that the reader does not take.
    @Test(arguments: 1...14, [1, 2])
    func `a reader that waits for a permit lets go what is held back`(segments: Int, permits: Int) async throws {
        let (bytes, failure) = try await within {
            var run = InvertingRun(slots: 12, segments: segments, permits: permits)
            run.level = 12
            let sink = ScriptedSink()
            let failure = try run.run(from: ScriptedSource(Self.content, piece: 1000), to: sink)
            return (sink.bytes, failure)
        }
        #expect(failure == nil)
        #expect(bytes.isSame(as: Self.inverted))
    }

    /// What a run may wait for, for ever.
    enum Wait: CaseIterable {
        /// The reader for input, the workers for chunks, and the writer for frames.
        case input
        /// The same, with frames in the order that may not go yet.
        case heldBack, heldFirst
        /// The writer for the sink: in a write, or for the end of one. Then the reader waits for slots, and the worker
        /// of a chunk in segments for room.
        case write, flush
    }

    @Test(arguments: Wait.allCases, [false, true])
    func `whatever waits ends when the run is cancelled, and all memory comes back`(
        wait: Wait, isSegmented: Bool
    ) async throws {
        let (failure, bytes) = try await within {
            let isOfSink = wait == .write || wait == .flush
            let sink = ScriptedSink(silent: isOfSink ? (wait == .write ? 0 : 1) : nil)
            let silence = wait == .heldFirst ? 1 : 20
            let source = ScriptedSource(Self.content, piece: 1000, events: isOfSink ? [:] : [silence: .silence])
            var run = InvertingRun(segments: isSegmented ? .max : 0)
            if wait == .heldBack { (run.slots, run.level) = (30, 25) }
            run.holdsFirst = wait == .heldFirst
            let failure = try run.run(from: source, to: sink) { latch in
                DispatchQueue(label: "test.cancel").async {
                    #expect(eventually { isOfSink ? sink.isWaiting : source.isWaiting })
                    pause(0.01)
                    latch.fail(.cancelled)
                }
            }
            return (failure, sink.bytes)
        }
        #expect(failure == .cancelled)
        #expect(bytes.isPrefix(of: Self.inverted))
        if wait == .heldBack || wait == .heldFirst { #expect(bytes.isEmpty) }
    }

    /// The latch tells its listeners one after another, in any order.
    @Test func `nothing is written behind a failure of which the order has not heard`() {
        let (sink, latch, order) = (ScriptedSink(), FailureLatch(), OrderQueue(FrameOrder()))
        order.change { order in
            order.insert(.success(ChunkResult(bytes: Bytes([1, 2, 3]), sourceSize: 3)), at: 0, isLast: true)
            order.end()
        }
        latch.fail(.cancelled)
        let end = StreamSink(sink, count: WriteCount())
        var writer = Writer(order: order, end: end, outstanding: DispatchGroup(), latch: latch, monitor: nil)
        var failure: Failure?
        do throws(Failure) { try writer.run() } catch { failure = error }
        #expect(failure == .cancelled)
        #expect(sink.bytes.isEmpty)
    }

    /// One chunk, which a worker reads from a file.
    private struct OneRange: ChunkCutter {
        let source: Source
        var isOver = false

        mutating func next() -> Chunk? {
            defer { isOver = true }
            return isOver ? nil : Chunk(.range(0..<1000, of: source), at: 0, bound: 1000)
        }

        func cancel() {}
    }

    /// Counts the chunks that it is given.
    private struct Counting: Transform, ~Copyable {
        let count: Count

        mutating func apply(_ chunk: consuming Chunk, with buffer: inout GatherBuffer) -> ChunkResult {
            count.add(1)
            return ChunkResult(bytes: Bytes(), sourceSize: 0)
        }
    }

    /// A cancelled run waits for a worker that reads, and should not wait for it to compress what it has read.
    @Test func `a run that is cancelled while a worker reads does not wait for more than that`() async throws {
        let (failure, begun) = try await within {
            let file = try NamelessFile(Self.content)
            let (latch, slots, begun) = (FailureLatch(), Slots(3), Count())
            let monitor = Monitor([{ if $0.stage == .read, $0.lane != nil { latch.fail(.cancelled) } }])
            let writer = FrameWriter(Sink(ScriptedSink()), latch: latch, monitor: nil)
            var cutter = OneRange(source: try Source(file.descriptor))
            let pipeline = Pipeline(
                workers: 1, slots: slots, writer: writer, latch: latch, monitor: monitor,
                workerPool: WorkerPool(shared: 1)
            ) { Counting(count: begun) }
            let outcome = Result { () throws(Failure) in try pipeline.run(&cutter) }
            writer.close()
            guard case .failure(let failure) = outcome else { return (Failure?.none, begun.value) }
            return (failure, begun.value)
        }
        #expect(failure == .cancelled)
        #expect(begun == 0)
    }
}
