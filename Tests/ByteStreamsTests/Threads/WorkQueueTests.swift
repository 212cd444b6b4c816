import Dispatch
import StreamTestSupport
import Synchronization
import Testing

@testable import ByteStreams

@Suite(.timeLimit(.minutes(4)))
struct WorkQueueTests {
    /// Takes from the queue on this many threads until it is closed; returns what each of them got.
    static func taken(from queue: WorkQueue<Int>, by threads: Int, _ body: () -> Void) throws -> [[Int]] {
        let taken = Mutex([[Int]]())
        let group = DispatchGroup()
        for _ in 0..<threads {
            DispatchQueue(label: "test.taker").async(group: group) {
                var own: [Int] = []
                while let element = queue.pop() { own.append(element) }
                taken.withLock { $0.append(own) }
            }
        }
        body()
        guard group.wait(timeout: .now() + 10) == .success else { throw TookTooLong() }
        return taken.withLock { $0 }
    }

    @Test func `first in, first out`() {
        let queue = WorkQueue<Int>()
        for element in 0..<100 { queue.push(element) }
        queue.close()
        #expect((0..<101).map { _ in queue.pop() } == (0..<100).map { $0 } + [nil])
    }

    @Test(arguments: [1, 2, 7])
    func `every element is taken once, in order by each`(threads: Int) async throws {
        let taken = try await within {
            let queue = WorkQueue<Int>()
            return try Self.taken(from: queue, by: threads) {
                for element in 0..<1000 { queue.push(element) }
                queue.close()
            }
        }
        #expect(taken.joined().sorted() == Array(0..<1000))
        #expect(taken.allSatisfy { $0 == $0.sorted() })
    }

    @Test(arguments: [true, false])
    func `closing wakes everyone who waits`(dropping: Bool) async throws {
        let taken = try await within {
            let queue = WorkQueue<Int>()
            return try Self.taken(from: queue, by: 8) {
                pause(0.05)
                queue.close(dropping: dropping)
            }
        }
        #expect(taken == Array(repeating: [], count: 8))
    }

    @Test func `what waits is still handed out after closing, unless it is dropped`() {
        let queue = WorkQueue<Int>()
        queue.push(1)
        queue.push(2)
        queue.close()
        #expect(queue.pop() == 1)
        queue.close(dropping: true)
        #expect(queue.pop() == nil)
    }

    @Test func `what comes after closing is dropped`() {
        let queue = WorkQueue<Int>()
        queue.close()
        queue.push(1)
        #expect(queue.pop() == nil)
        #expect(queue.pop() == nil)
    }

    @Test func `whoever comes after the end does not wait`() async throws {
        try await within {
            let queue = WorkQueue<Int>()
            queue.push(1)
            queue.close(dropping: true)
            queue.close()
            for _ in 0..<10 { _ = queue.pop() }
        }
    }
}
