import Dispatch
import Synchronization
import Testing

@testable import ByteStreams

@Suite(.timeLimit(.minutes(4)))
struct RelayTests {
    private final class Shared: Sendable {
        let relay = Relay()
        let waiting = Atomic(0)
        let inside = Atomic(0)
        let most = Atomic(0)
        let done = Atomic(0)

        func work() {
            relay.run {
                let count = inside.add(1, ordering: .relaxed).newValue
                most.max(count, ordering: .relaxed)
                done.add(waiting.exchange(0, ordering: .acquiringAndReleasing), ordering: .relaxed)
                inside.subtract(1, ordering: .relaxed)
            }
        }
    }

    @Test func `one thread at a time does what all of them brought, and nothing is left over`() {
        let shared = Shared()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<20_000 {
                shared.waiting.add(1, ordering: .acquiringAndReleasing)
                shared.work()
            }
        }
        #expect(shared.done.load(ordering: .relaxed) == 160_000)
        #expect(shared.most.load(ordering: .relaxed) == 1)
    }

    @Test func `a body that asks for another run gets it when it has ended`() {
        let relay = Relay()
        let runs = Atomic(0)
        relay.run {
            // Only the one inside runs: what it is asked for is the same body again.
            if runs.add(1, ordering: .relaxed).newValue == 1 { relay.run {} }
        }
        #expect(runs.load(ordering: .relaxed) == 2)
    }
}
