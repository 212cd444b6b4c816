import StreamTestSupport
import Synchronization
import Testing

@testable import ByteStreams
@testable import ChunkPipeline

/// What is known of a run while it goes on.
struct MonitorTests {
    @Test func `every observer is told of every span, in order`() {
        let seen = Mutex<[[Int]]>([[], []])
        let monitor = Monitor([
            { span in seen.withLock { $0[0].append(span.bytes) } },
            { span in seen.withLock { $0[1].append(span.bytes) } },
        ])
        for bytes in 1...5 { monitor.record(StageSpan(stage: .write, bytes: bytes, start: 0, end: 1)) }
        #expect(seen.withLock { $0 } == [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5]])
    }

    @Test func `it knows how many slots are in use, and how many were at most`() {
        let monitor = Monitor([])
        for inUse in [1, 2, 3, 1, 0] { monitor.slotsDidChange(inUse: inUse, of: 4) }
        #expect(monitor.slots == (0, 4))
        #expect(monitor.slotUse.most == 3)
    }

    @Test func `workers that have a chunk are counted`() {
        let monitor = Monitor([])
        monitor.workerDidBegin()
        monitor.workerDidBegin()
        #expect(monitor.busyWorkers == 2)
        monitor.workerDidEnd()
        #expect(monitor.busyWorkers == 1)
    }
}
