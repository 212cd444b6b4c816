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
    /// Cuts chunks of a size; each of them may come in segments.
    private struct Cutter: ChunkCutter {
        let reader: InputReader
        let slots: Slots
        let size: Int
        let isSegmented: Bool
        private var queue: SegmentQueue?
        private var (offset, isOver) = (UInt64(0), false)

        init(_ reader: InputReader, _ slots: Slots, size: Int, isSegmented: Bool) {
            (self.reader, self.slots, self.size, self.isSegmented) = (reader, slots, size, isSegmented)
        }

        mutating func next() throws(Failure) -> Chunk? {
            if isOver { return nil }
            guard isSegmented else {
                guard let bytes = try reader.read(size) else { return nil }
                defer { offset += UInt64(bytes.count) }
                return Chunk(.memory(bytes), at: offset, bound: bytes.count)
            }
            guard let queue else {
                let queue = SegmentQueue(slots)
                self.queue = queue
                return Chunk(.segments(queue), at: 0)
            }
            isOver = true
            try queue.fill { () throws(Failure) in try reader.read(size) }
            return nil
        }

        mutating func cancel() { queue?.fail(.cancelled) }
    }

    /// Inverts bytes, after a pause that differs from chunk to chunk, and fails where it is told to.
    private struct Inverting: Transform, ~Copyable {
        var isSlow = false
        var failing: UInt64?

        mutating func apply(_ chunk: consuming Chunk, with buffer: inout GatherBuffer) throws(Failure) -> ChunkResult {
            let (offset, count) = (chunk.offset, chunk.count)
            if isSlow { usleep(UInt32(truncatingIfNeeded: offset &* 2_654_435_761) % 500) }
            if offset == failing { throw .outOfMemory }
            let bytes = try buffer.withContiguous(chunk) { $0.withUnsafeBytes { Bytes($0.map { ~$0 }) } }
            return ChunkResult(bytes: bytes, sourceSize: count)
        }

        mutating func apply(_ segment: Segment, to output: inout SegmentOutput) throws(Failure) {
            guard case .bytes(var rest) = segment else { return }
            while !rest.isEmpty {
                let room = try output.room()
                let count = min(rest.count, room.memory.count)
                for position in 0..<count { room.memory[position] = ~rest[position] }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                output.handOn(room, count: count, from: count)
            }
        }
    }

    private struct Run {
        var chunkSize = 1000
        var slots = 5
        var workers = 3
        var isSegmented = false
        var isSlow = false
        var failing: UInt64?

        /// - Parameter whenBegun: receives what ends the run from elsewhere.
        func run(
            from source: ScriptedSource, to sink: ScriptedSink, whenBegun: (FailureLatch) -> Void = { _ in }
        ) throws -> Failure? {
            let slots = Slots(slots)
            let failure = try run(from: source, to: sink, slots, whenBegun)
            #expect(source.hasFinished)
            // Of what was cut, is worked on, waits for its turn or for the sink, or was dropped.
            #expect(eventually { slots.inUse == 0 })
            return failure
        }

        private func run(
            from source: ScriptedSource, to sink: ScriptedSink, _ slots: Slots, _ whenBegun: (FailureLatch) -> Void
        ) throws -> Failure? {
            let latch = FailureLatch()
            let reader = try InputReader(Source(source), latch: latch, monitor: nil)
            let writer = FrameWriter(Sink(sink), order: FrameOrder(), latch: latch, monitor: nil)
            var cutter = Cutter(reader, slots, size: chunkSize, isSegmented: isSegmented)
            let pipeline = Pipeline(
                workers: workers, slots: slots, writer: writer, latch: latch, monitor: nil, workerPool: nil
            ) { [isSlow, failing] in Inverting(isSlow: isSlow, failing: failing) }
            whenBegun(latch)
            let outcome = Result { () throws(Failure) in try pipeline.run(&cutter) }
            reader.close()
            writer.close()
            if case .failure(let failure) = outcome { return failure }
            return nil
        }
    }

    private static let content = sample(41_234)
    private static let inverted = content.map { ~$0 }

    @Test(arguments: [(1, 1), (2, 1), (7, 1), (1, 999), (2, 999), (7, 999), (3, 41_234)], [false, true])
    func `the bytes come in their order, however long each takes`(
        _ counts: (workers: Int, chunkSize: Int), isSegmented: Bool
    ) async throws {
        let content = counts.chunkSize == 1 ? Array(Self.content.prefix(500)) : Self.content
        let (bytes, failure) = try await within {
            let sink = ScriptedSink()
            var run = Run(chunkSize: counts.chunkSize, workers: counts.workers, isSegmented: isSegmented)
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
            return (try Run(isSegmented: isSegmented).run(from: source, to: sink), sink.bytes)
        }
        #expect(failure == .reading(.ioError))
        #expect(bytes.isPrefix(of: Self.inverted) && bytes.count <= 1000 * read)
        if !isSegmented { #expect(bytes.count == min(1000 * read, Self.content.count)) }
    }

    @Test(arguments: 0..<42)
    func `a chunk that can't be transformed fails in its turn`(number: Int) async throws {
        let (failure, bytes) = try await within {
            let sink = ScriptedSink()
            let run = Run(isSlow: true, failing: UInt64(number * 1000))
            return (try run.run(from: ScriptedSource(Self.content, piece: .max), to: sink), sink.bytes)
        }
        #expect(failure == .outOfMemory)
        #expect(bytes.isSame(as: Array(Self.inverted.prefix(1000 * number))))
    }

    @Test(arguments: 0..<42, [false, true])
    func `a write that fails ends the run behind what was written`(write: Int, isSegmented: Bool) async throws {
        let (failure, bytes) = try await within {
            let sink = ScriptedSink(failing: (write, .noSpace))
            let run = Run(isSegmented: isSegmented)
            return (try run.run(from: ScriptedSource(Self.content, piece: 1000), to: sink), sink.bytes)
        }
        if bytes.count == Self.content.count { return #expect(failure == nil) }
        #expect(failure == .writing(.noSpace))
        #expect(bytes.isPrefix(of: Self.inverted))
    }

    /// What each step may wait for: input, slots behind a sink that does not write, or room for segments.
    @Test(arguments: [false, true], [false, true])
    func `whatever waits ends when the run is cancelled`(isSinkSlow: Bool, isSegmented: Bool) async throws {
        let (failure, bytes) = try await within {
            let sink = ScriptedSink(isSlow: isSinkSlow)
            let source = ScriptedSource(Self.content, piece: 1000, events: isSinkSlow ? [:] : [20: .silence])
            let failure = try Run(isSegmented: isSegmented).run(from: source, to: sink) { latch in
                DispatchQueue(label: "test.cancel").asyncAfter(deadline: .now() + 0.05) { latch.fail(.cancelled) }
            }
            return (failure, sink.bytes)
        }
        #expect(failure == .cancelled)
        #expect(bytes.isPrefix(of: Self.inverted))
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
            let writer = FrameWriter(Sink(ScriptedSink()), order: FrameOrder(), latch: latch, monitor: nil)
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
