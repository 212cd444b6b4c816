import Dispatch
import StreamTestSupport
import Synchronization
import Testing

@testable import ByteStreams
@testable import ChunkPipeline
@testable import SluiceEngine
@testable import ZstdCodec

/// What workers have consumed is known before their frames are done.
@Suite(.timeLimit(.minutes(4)))
struct FrameProgressTests {
    /// What was done of the input: the work that was recorded, and what is consumed within frames.
    private final class Consumption: Sendable {
        private let worked = Atomic(UInt64(0))

        func observe(_ span: StageSpan) {
            if span.stage == .work { worked.add(UInt64(span.source), ordering: .relaxed) }
        }

        func bytes(_ monitor: Monitor) -> UInt64 {
            worked.load(ordering: .relaxed) + monitor.consumedWithinFrames
        }
    }

    /// The numbers of consumed bytes that were seen before the first frame was done, and the last one of all.
    private static func watch(_ job: Job, _ content: [UInt8]) throws -> (before: [UInt64], last: UInt64) {
        let isDone = Atomic(false)
        let seen = Mutex<[UInt64]>([])
        let consumption = Consumption()
        let monitor = Monitor([
            consumption.observe, { if $0.stage == .order { isDone.store(true, ordering: .relaxed) } },
        ])
        var job = job
        job.monitor = monitor
        let group = DispatchGroup()
        try startThread(in: group) {
            while !isDone.load(ordering: .relaxed) {
                let consumed = consumption.bytes(monitor)
                seen.withLock { if $0.last != consumed { $0.append(consumed) } }
                pause(0.002)
            }
        }
        let outcome = job.outcomeInMemory(of: content)
        #expect(outcome.failure == nil)
        group.wait()
        return (seen.withLock { $0 }, consumption.bytes(monitor))
    }

    @Test func `within a frame of a high level it grows by slices`() async throws {
        let (before, last) = try await within(100) {
            try Self.watch(.compress(level: 19, frameSize: 4 << 20), patchwork(3 << 20))
        }
        #expect(last == 3 << 20)
        #expect(before == before.sorted())
        if Compressor.makesSlices { #expect(before.count(where: { $0 > 0 && $0 < 3 << 20 }) >= 3) }
    }

    /// A hole of the file, too, and a rest.
    @Test(arguments: [-5, 1, 3, 9, 15], [1, 4])
    func `at the end it is all of the input, at every level and both ways`(level: Int, threads: Int) async throws {
        let (packed, unpacked, size) = try await within(100) {
            let content = patchwork(2_500_001)
            let job = Job.compress(level: level, frameSize: 1 << 20, threads: threads)
            let stream = try job.output(of: content)
            return (
                try Self.watch(job, content).last, try Self.watch(.decompress(threads: threads), stream).last,
                stream.count
            )
        }
        #expect(packed == 2_500_001)
        // The header of the stream and its seek table are not frames.
        #expect(unpacked <= UInt64(size) && unpacked > UInt64(size) * 9 / 10)
    }

    /// Without slices, the frame would take many seconds.
    @Test(.enabled(if: Compressor.makesSlices))
    func `a worker leaves its frame when the run has failed`() async throws {
        let (failure, consumed) = try await within(100) {
            let latch = FailureLatch()
            let consumption = Consumption()
            let monitor = Monitor([consumption.observe])
            var job = Job.compress(level: 22, frameSize: 64 << 20, threads: 1)
            job.monitor = monitor
            let (source, sink) = (ScriptedSource(sample(24 << 20), piece: 1 << 20), ScriptedSink())
            try startThread {
                while consumption.bytes(monitor) == 0 { pause(0.002) }
                latch.fail(.cancelled)
            }
            do throws(Failure) {
                _ = try job.run(from: Source(source), to: Sink(sink), latch: latch)
                return (Failure?.none, consumption.bytes(monitor))
            } catch {
                return (error, consumption.bytes(monitor))
            }
        }
        #expect(failure == .cancelled)
        #expect(consumed < 24 << 20)
    }
}
