import Dispatch
import StreamTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import ByteStreams

struct FailureLatchTests {
    @Test func `the first failure wins`() {
        let latch = FailureLatch()
        #expect(latch.failure == nil)
        #expect(throws: Never.self) { try latch.check() }
        latch.fail(.writing(.noSpace))
        latch.fail(.cancelled)
        #expect(latch.failure == .writing(.noSpace))
        #expect(throws: Failure.writing(.noSpace)) { try latch.check() }
    }

    @Test func `every action runs once, when the failure is there`() {
        let latch = FailureLatch()
        let seen = Mutex([Failure?]())
        for _ in 0..<3 {
            latch.onFailure { [unowned latch] in
                let failure = latch.failure
                seen.withLock { $0.append(failure) }
            }
        }
        #expect(seen.withLock { $0.isEmpty })
        latch.fail(.cancelled)
        latch.fail(.cancelled)
        #expect(seen.withLock { $0 } == [.cancelled, .cancelled, .cancelled])
    }

    @Test func `an action that comes late runs at once`() {
        let latch = FailureLatch()
        latch.fail(.cancelled)
        let count = Atomic(0)
        latch.onFailure { count.add(1, ordering: .relaxed) }
        #expect(count.load(ordering: .relaxed) == 1)
        latch.fail(.cancelled)
        #expect(count.load(ordering: .relaxed) == 1)
    }

    @Test(.timeLimit(.minutes(4)))
    func `of many threads one wins, and no action is lost or doubled`() async throws {
        let (failures, count) = try await within {
            let latch = FailureLatch()
            let count = Atomic(0)
            let seen = Mutex(Set<String>())
            DispatchQueue.concurrentPerform(iterations: 64) { index in
                if index % 2 == 0 {
                    latch.onFailure { count.add(1, ordering: .relaxed) }
                } else {
                    latch.fail(.sourceShrank(expected: UInt64(index), read: 0))
                    let words = latch.failure.map { "\($0)" } ?? "none"
                    _ = seen.withLock { $0.insert(words) }
                }
            }
            return (seen.withLock { $0 }, count.load(ordering: .relaxed))
        }
        #expect(failures.count == 1)
        #expect(count == 32)
    }

    @Test func `an action may add another, or fail again`() {
        let latch = FailureLatch()
        let count = Atomic(0)
        latch.onFailure { [unowned latch] in
            latch.fail(.cancelled)
            latch.onFailure { count.add(1, ordering: .relaxed) }
        }
        latch.fail(.reading(.ioError))
        #expect(count.load(ordering: .relaxed) == 1)
        #expect(latch.failure == .reading(.ioError))
    }

    @Test func `a child fails with its parent, and not the other way round`() throws {
        let parent = FailureLatch()
        try parent.withChild { child throws(Failure) in
            child.fail(.cancelled)
            #expect(parent.failure == nil)
        }
        try parent.withChild { child throws(Failure) in
            parent.fail(.writing(.noSpace))
            #expect(child.failure == .writing(.noSpace))
        }
        // A parent that has failed has children that have.
        try parent.withChild { child throws(Failure) in #expect(child.failure == .writing(.noSpace)) }
    }

    @Test func `what a child runs is forgotten with it`() throws {
        let parent = FailureLatch()
        let count = Mutex(0)
        _ = try parent.withChild { child throws(Failure) in child.onFailure { count.withLock { $0 += 1 } } }
        parent.fail(.cancelled)
        #expect(count.withLock { $0 } == 0)
    }
}
