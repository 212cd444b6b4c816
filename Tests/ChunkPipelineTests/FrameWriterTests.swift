import Dispatch
import Glibc
import StreamTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import ByteStreams
@testable import ChunkPipeline

/// Frames in any order become bytes in one, as far as the descriptor takes them.
@Suite(.timeLimit(.minutes(4)))
struct FrameWriterTests {
    /// As many as a prime number, so that steps of any length come by all of them.
    static let frames = (0..<41).map { sample(1000 + 37 * $0, seed: UInt64($0)) }
    static let whole = frames.flatMap(\.self)

    /// What became of the frames, which come in this order.
    private static func write(
        _ order: [Int], to sink: Sink, slots: Slots
    ) throws -> (failure: Failure?, written: UInt64) {
        let writer = FrameWriter(sink, latch: FailureLatch(), monitor: nil)
        try writer.start()
        for index in order {
            _ = slots.take()
            let frame = ChunkResult(bytes: Bytes(frames[index]), sourceSize: 1, lease: Lease { slots.give() })
            writer.accept(.success(frame), at: index)
        }
        let outcome = Result { () throws(Failure) in try writer.finish(order.count) }
        writer.close()
        guard case .failure(let failure) = outcome else { return (nil, writer.count.written) }
        return (failure, writer.count.written)
    }

    @Test(arguments: [1, 2, 7, 23, 40])
    func `frames that come in any order are written in theirs`(step: Int) async throws {
        let (content, outcome, inUse) = try await within {
            let file = try NamelessFile()
            let slots = Slots(Self.frames.count)
            let order = Self.frames.indices.map { $0 * step % Self.frames.count }
            let outcome = try Self.write(order, to: try Sink(file.descriptor), slots: slots)
            return (try file.content, outcome, slots.inUse)
        }
        #expect(content.isSame(as: Self.whole))
        #expect(outcome.failure == nil)
        #expect(outcome.written == UInt64(Self.whole.count))
        #expect(inUse == 0)
    }

    /// In processes of their own: the limit of a file's size is the process's.
    @Test(arguments: [false, true])
    func `a descriptor that fails at byte k has a prefix of k bytes at most, and every slot goes back`(
        isTemporary: Bool
    ) async {
        await #expect(processExitsWith: .success) { [isTemporary] in
            signal(SIGXFSZ, SIG_IGN)
            for limit in [0, 1, 999, 1000, 1001, 4096, 30_000, FrameWriterTests.whole.count - 1] {
                let file = try NamelessFile()
                let slots = Slots(FrameWriterTests.frames.count)
                var limits = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t.max)
                #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits) == 0)
                let sink = try Sink(file.descriptor, isTemporary: isTemporary)
                let order = Array(FrameWriterTests.frames.indices)
                let (failure, written) = try FrameWriterTests.write(order, to: sink, slots: slots)
                let content = try file.content
                #expect(failure == .writing(.fileTooLarge))
                #expect(written <= UInt64(content.count) && content.count <= limit)
                // What is thrown away may have a gap: Dispatch was asked for all of it.
                #expect(isTemporary || content.isPrefix(of: FrameWriterTests.whole))
                #expect(slots.inUse == 0)
            }
        }
    }

    /// Zeros at the beginning, between and at the end of frames, and frames of nothing else.
    @Test func `long runs of zeros are holes, and the file is the same`() async throws {
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        let words = sample(100_000)
        let frames = [zeros, words + zeros, zeros + words, words, words + zeros + words, zeros, zeros]
        let (content, blocks, written, position) = try await within {
            let file = try NamelessFile()
            let sink = try Sink(file.descriptor, leavesHoles: true)
            let slots = Slots(frames.count)
            let writer = FrameWriter(sink, latch: FailureLatch(), monitor: nil)
            try writer.start()
            for (index, frame) in frames.enumerated() {
                _ = slots.take()
                writer.accept(
                    .success(ChunkResult(bytes: Bytes(frame), sourceSize: 1, lease: Lease { slots.give() })), at: index)
            }
            try writer.finish(frames.count)
            writer.close()
            let position = try file.descriptor.seek(offset: 0, from: .current)
            var status = stat()
            fstat(file.descriptor.rawValue, &status)
            return (try file.content, Int(status.st_blocks), writer.count.written, position)
        }
        let whole = frames.flatMap(\.self)
        #expect(content.isSame(as: whole))
        #expect(written == UInt64(whole.count) && position == Int64(whole.count))
        // Blocks of 512 bytes: the words, and what they share of file system blocks.
        #expect(blocks * 512 < 5 * words.count + 100_000)
    }

    /// What is already there would show through a hole, and what is appended goes to the end.
    @Test(arguments: [O_APPEND, 0])
    func `no hole is left where something is`(flags: Int32) async throws {
        let count = 200_000
        let content = try await within {
            let file = try NamelessFile([UInt8](repeating: 7, count: count))
            if flags == 0 { try file.descriptor.seek(offset: 0, from: .start) }
            _ = fcntl(file.descriptor.rawValue, F_SETFL, flags)
            let slots = Slots(1)
            let writer = FrameWriter(
                try Sink(file.descriptor, leavesHoles: true), latch: FailureLatch(), monitor: nil)
            try writer.start()
            _ = slots.take()
            let frame = [UInt8](repeating: 0, count: count - 1) + [1]
            writer.accept(
                .success(ChunkResult(bytes: Bytes(frame), sourceSize: 1, lease: Lease { slots.give() })), at: 0)
            try writer.finish(1)
            writer.close()
            return try file.content
        }
        let before = flags == 0 ? [] : [UInt8](repeating: 7, count: count)
        #expect(content.isSame(as: before + [UInt8](repeating: 0, count: count - 1) + [1]))
    }

    @Test func `a failure is told when its turn has come, behind the frames before it`() async throws {
        let (content, failure) = try await within {
            let file = try NamelessFile()
            let slots = Slots(4)
            let writer = FrameWriter(try Sink(file.descriptor), latch: FailureLatch(), monitor: nil)
            try writer.start()
            writer.accept(.failure(.outOfMemory), at: 2)
            for index in [1, 0] {
                _ = slots.take()
                writer.accept(
                    .success(
                        ChunkResult(bytes: Bytes(Self.frames[index]), sourceSize: 1, lease: Lease { slots.give() })),
                    at: index)
            }
            let outcome = Result { () throws(Failure) in try writer.finish(3) }
            writer.close()
            guard case .failure(let failure) = outcome else { return (try file.content, Failure?.none) }
            return (try file.content, failure)
        }
        #expect(failure == .outOfMemory)
        #expect(content.isSame(as: Self.frames[0] + Self.frames[1]))
    }

    /// Each write in turn, in the test's own process.
    @Test(arguments: 0..<41)
    func `a write that fails ends the run with its error, a prefix is written, and every slot goes back`(
        write: Int
    ) async throws {
        let (content, outcome, inUse) = try await within {
            let sink = ScriptedSink(failing: (write, .noSpace))
            let slots = Slots(Self.frames.count)
            let order = Self.frames.indices.map { $0 * 7 % Self.frames.count }
            let outcome = try Self.write(order, to: Sink(sink), slots: slots)
            _ = eventually { slots.inUse == 0 }
            return (sink.bytes, outcome, slots.inUse)
        }
        #expect(outcome.failure == .writing(.noSpace))
        #expect(content.isSame(as: Self.frames[..<write].flatMap(\.self)))
        #expect(inUse == 0)
    }

    /// The monitor and the sink are the writer's alone.
    @Test func `a worker that brings a frame does not wait for the writer`() async throws {
        let (wasFree, content) = try await within {
            let (entered, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let isFirst = Atomic(true)
            let monitor = Monitor([
                { span in
                    guard span.stage == .order, isFirst.exchange(false, ordering: .relaxed) else { return }
                    entered.signal()
                    goOn.wait()
                }
            ])
            let (sink, slots) = (ScriptedSink(), Slots(3))
            let writer = FrameWriter(Sink(sink), latch: FailureLatch(), monitor: monitor)
            try writer.start()
            let accept = { @Sendable (index: Int) in
                _ = slots.take()
                let frame = ChunkResult(bytes: Bytes(Self.frames[index]), sourceSize: 1, lease: Lease { slots.give() })
                writer.accept(.success(frame), at: index)
            }
            accept(0)
            entered.wait()
            let others = DispatchGroup()
            for index in 1...2 { DispatchQueue(label: "test.worker").async(group: others) { accept(index) } }
            let wasFree = others.wait(timeout: .now() + 10) == .success
            goOn.signal()
            others.wait()
            try writer.finish(3)
            writer.close()
            return (wasFree, sink.bytes)
        }
        #expect(wasFree)
        #expect(content.isSame(as: Self.frames[..<3].flatMap(\.self)))
    }

    /// A header in front of each frame but the first, and room for some.
    private struct Headers: Envelope {
        let most: Int
        var count = 0

        mutating func append(_ frame: ChunkResult) throws(Failure) -> [UInt8] {
            if count == most { throw .outOfMemory }
            count += 1
            return count > 1 ? [99] : []
        }

        func trailer() -> [UInt8] { [UInt8(count)] }
    }

    @Test(arguments: [3, 9])
    func `what the envelope says goes in front of a frame, and behind all of them`(room: Int) async throws {
        let (content, failure) = try await within {
            let sink = ScriptedSink(joins: true)
            let writer = FrameWriter(Sink(sink), envelope: Headers(most: room), latch: FailureLatch(), monitor: nil)
            try writer.start()
            for index in [3, 1, 0, 2] {
                writer.accept(.success(ChunkResult(bytes: Bytes([UInt8(index), 50]), sourceSize: 1)), at: index)
            }
            let outcome = Result { () throws(Failure) in try writer.finish(4) }
            writer.close()
            if case .failure(let failure) = outcome { return (sink.bytes, Optional(failure)) }
            return (sink.bytes, nil)
        }
        let three: [UInt8] = [0, 50, 99, 1, 50, 99, 2, 50]
        #expect(content == (room < 4 ? three : three + [99, 3, 50, 4]))
        #expect(failure == (room < 4 ? .outOfMemory : nil))
    }

    @Test func `what nobody writes or sees has arrived in its turn`() async throws {
        let (sizes, failure) = try await within {
            let (monitor, latch, slots) = (Monitor([]), FailureLatch(), Slots(9))
            let writer = FrameWriter(nil, latch: latch, monitor: monitor)
            try writer.start()
            for index in [2, 1, 3, 0] {
                _ = slots.take()
                let frame = ChunkResult(bytes: Bytes([1, 2]), sourceSize: 5, lease: Lease { slots.give() })
                writer.accept(index == 2 ? .failure(.outOfMemory) : .success(frame), at: index)
                #expect((latch.failure != nil) == (index == 0))
            }
            let outcome = Result { () throws(Failure) in try writer.finish(4) }
            #expect(eventually { slots.inUse == 0 })
            writer.close()
            guard case .failure(let failure) = outcome else { return (monitor.deliveries.sum, Failure?.none) }
            return (monitor.deliveries.sum, failure)
        }
        #expect(sizes == Delivery(source: 10, made: 4))
        #expect(failure == .outOfMemory)
    }

    /// Such as a run that is interrupted while it waits for room on a full disk.
    @Test func `after a write that failed the run still waits for what has not arrived`() async throws {
        let (arrived, isWriting) = try await within {
            let (sink, slots, monitor) = (ScriptedSink(failing: (1, .noSpace)), Slots(3), Monitor([]))
            let writer = FrameWriter(Sink(sink), latch: FailureLatch(), monitor: monitor)
            try writer.start()
            for index in 0..<3 {
                _ = slots.take()
                let frame = ChunkResult(bytes: Bytes(Self.frames[index]), sourceSize: 1, lease: Lease { slots.give() })
                writer.accept(.success(frame), at: index)
            }
            _ = Result { () throws(Failure) in try writer.finish(3) }
            let deliveries = monitor.deliveries
            return (deliveries.sum.sourceBytes, deliveries.isWriting)
        }
        #expect(arrived < 3)
        #expect(isWriting)
    }
}
