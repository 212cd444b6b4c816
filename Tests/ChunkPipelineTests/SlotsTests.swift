import Dispatch
import StreamTestSupport
import Synchronization
import Testing

@testable import ByteStreams
@testable import ChunkPipeline

@Suite(.timeLimit(.minutes(4)))
struct SlotsTests {
    @Test(arguments: [1, 2, 5], [1, 3, 8])
    func `no more are in use than there are`(count: Int, threads: Int) async throws {
        let (most, wasRefused) = try await within {
            let slots = Slots(count)
            let state = Mutex((inUse: 0, most: 0, wasRefused: false))
            let group = DispatchGroup()
            for _ in 0..<threads {
                DispatchQueue(label: "test.taker").async(group: group) {
                    for _ in 0..<50 {
                        let isTaken = slots.take()
                        state.withLock {
                            $0.inUse += 1
                            $0.most = max($0.most, $0.inUse, slots.inUse)
                            if !isTaken { $0.wasRefused = true }
                        }
                        pause(0.0001)
                        state.withLock { $0.inUse -= 1 }
                        slots.give()
                    }
                }
            }
            group.wait()
            return state.withLock { ($0.most, $0.wasRefused) }
        }
        #expect(most <= count)
        #expect(!wasRefused)
    }

    @Test func `whoever wants one more waits until one is given`() async throws {
        try await within {
            let slots = Slots(2)
            #expect(slots.take() && slots.take())
            #expect(slots.inUse == 2)
            let third = DispatchSemaphore(value: 0)
            DispatchQueue(label: "test.taker").async {
                if slots.take() { third.signal() }
            }
            #expect(third.wait(timeout: .now() + 0.05) == .timedOut)
            slots.give()
            #expect(third.wait(timeout: .now() + 5) == .success)
            #expect(slots.inUse == 2)
        }
    }

    @Test(arguments: 1...4)
    func `whoever waits for another permit counts as having all slots`(count: Int) async throws {
        let (before, during, after) = try await within {
            let inUse = Atomic(0)
            let slots = Slots(count) { inUse.add($0, ordering: .relaxed) }
            let permits = Slots(1, insteadOf: slots)
            #expect(slots.take() && permits.take())
            let before = inUse.load(ordering: .relaxed)
            let second = DispatchGroup()
            DispatchQueue(label: "test.taker").async(group: second) { _ = permits.take() }
            let during = eventually { inUse.load(ordering: .relaxed) == 1 + count }
            permits.give()
            second.wait()
            return (before, during, inUse.load(ordering: .relaxed))
        }
        #expect(before == 1 && during && after == 1)
    }

    @Test func `the monitor sees what is filled, and nothing of a run that failed`() {
        let monitor = Monitor([])
        let slots = Slots(3, monitor: monitor)
        #expect(slots.take(unread: true))
        #expect(slots.inUse == 1 && monitor.slots == (0, 3))
        slots.fill()
        #expect(slots.take() && slots.take(unread: true))
        #expect(slots.inUse == 3 && monitor.slots == (2, 3))
        slots.give(unread: true)
        slots.give()
        #expect(slots.inUse == 1 && monitor.slots == (1, 3))
        slots.cancel()
        #expect(monitor.slots == (0, 3))
        let seconds = monitor.slotUse.seconds
        pause(0.01)
        slots.give()
        #expect(monitor.slots == (0, 3) && monitor.slotUse == (seconds, 2))
    }

    /// Whoever takes or gives tells the monitor, from any thread: the last number that it was told is the one that
    /// holds.
    @Test func `numbers reach the monitor in their order`() async throws {
        let inUse = try await within {
            let last = Mutex(0)
            let wrong = Atomic(0)
            let monitor = Monitor([
                { span in
                    // Each number differs from the one before it by one; that none is in use is not told.
                    last.withLock {
                        if abs(span.bytes - $0) > 1 { wrong.add(1, ordering: .relaxed) }
                        $0 = span.bytes
                    }
                }
            ])
            let slots = Slots(8, monitor: monitor)
            let group = DispatchGroup()
            for _ in 0..<4 {
                DispatchQueue(label: "test.taker").async(group: group) {
                    for _ in 0..<20_000 where slots.take() { slots.give() }
                }
            }
            group.wait()
            return (monitor.slots.inUse, wrong.load(ordering: .relaxed))
        }
        #expect(inUse == (0, 0))
    }

    @Test func `cancelling wakes everyone who waits, and nobody gets one any more`() async throws {
        let refused = try await within {
            let slots = Slots(1)
            _ = slots.take()
            let refused = Atomic(0)
            let group = DispatchGroup()
            for _ in 0..<8 {
                DispatchQueue(label: "test.taker").async(group: group) {
                    if !slots.take() { refused.add(1, ordering: .relaxed) }
                }
            }
            pause(0.05)
            slots.cancel()
            if group.wait(timeout: .now() + 10) == .timedOut { throw TookTooLong() }
            slots.give()
            if !slots.take() { refused.add(1, ordering: .relaxed) }
            return refused.load(ordering: .relaxed)
        }
        #expect(refused == 9)
    }

    /// Trap 9 in docs/dispatch-on-linux.md: a semaphore that goes below its initial value ends the process.
    @Test func `slots may go while some are in use`() {
        for _ in 0..<10 { _ = Slots(3).take() }
    }
}
