import Dispatch
import StreamTestSupport
import Synchronization
import Testing

@testable import ByteStreams
@testable import ChunkPipeline

/// How many threads many runs have together.
@Suite(.timeLimit(.minutes(4))) struct WorkerPoolTests {
    @Test func `each run has a worker of its own, and all of them share the others`() async throws {
        let workerPool = WorkerPool(shared: 3)
        let end = DispatchSemaphore(value: 0)
        let working = Atomic(0)
        let work: @Sendable () -> Void = {
            working.add(1, ordering: .relaxed)
            end.wait()
            working.subtract(1, ordering: .relaxed)
        }
        for _ in 0..<100 { #expect(try workerPool.start(isFirst: true, work)) }
        let others = try (0..<100).count { _ in try workerPool.start(isFirst: false, work) }
        #expect(others == 3)
        #expect(workerPool.available == 0)
        #expect(await soon { working.load(ordering: .relaxed) == 103 })
        for _ in 0..<103 { end.signal() }
        // Those that end are there for the next ones.
        #expect(await soon { workerPool.available == 3 && working.load(ordering: .relaxed) == 0 })
    }

    @Test func `a run waits while cancelled ones have left many workers, until one of these or the run ends`()
        async throws
    {
        let (workerPool, latch, begun) = (WorkerPool(shared: 2), FailureLatch(), Count())
        try workerPool.waitForRoom(latch)
        let waits = (0..<2).map { _ in WorkerWait(in: DispatchGroup(), of: workerPool) }
        for wait in waits { wait.endUnlessReading() }
        #expect(workerPool.left == 2)
        for number in 0..<3 {
            try startThread {
                if (try? workerPool.waitForRoom(number == 0 ? latch : FailureLatch())) == nil { begun.add(100) }
                begun.add(1)
            }
        }
        try await Task.sleep(for: .milliseconds(50))
        #expect(begun.value == 0)
        latch.fail(.cancelled)
        #expect(await soon { begun.value == 101 })
        waits[0].end()
        #expect(await soon { begun.value == 103 })
        waits[1].end()
        waits[1].end()
        #expect(workerPool.left == 0)
    }
}
