import StreamTestSupport
import Synchronization
import Testing

@testable import ByteStreams

/// Memory that goes on at its start.
@Suite(.timeLimit(.minutes(1)))
struct ContentRingTests {
    @Test(arguments: [UInt64(1), 4096, 100_000], [1000, 70_000])
    func `the window lies in front of every place, and room behind it`(window: UInt64, size: Int) throws {
        let ring = try #require(ContentRing(window: window, regions: 2 * size))
        var position: UInt64 = 0
        for turn in 0..<20 {
            let memory = ring.take(at: position, count: size)
            let back = Int(min(window, position))
            let before = UnsafeRawBufferPointer(start: memory.baseAddress.map { $0 - back }, count: back)
            #expect(back == 0 || before.last == UInt8(turn - 1))
            #expect(back < 2 * size || before.first == UInt8(turn - 1 - (back - 1) / size))
            memory.copyBytes(from: repeatElement(UInt8(turn), count: size))
            ring.give(at: position)
            position += UInt64(size)
        }
    }

    @Test func `who comes round waits until nobody holds what was there`() async throws {
        let ring = try #require(ContentRing(window: 1, regions: 8192))
        let most = ring.capacity / 4096
        for piece in 0..<most { _ = ring.take(at: UInt64(piece) * 4096, count: 4096) }
        let isReleased = Atomic(false)
        let waiting = Task.detached {
            let memory = ring.take(at: UInt64(most) * 4096, count: 4096)
            return (memory.count, isReleased.load(ordering: .acquiring))
        }
        // A later one that goes back first makes no room.
        ring.give(at: 4096)
        try await Task.sleep(for: .milliseconds(50))
        isReleased.store(true, ordering: .releasing)
        ring.give(at: 0)
        let (count, hasWaited) = await waiting.value
        #expect(count == 4096)
        #expect(hasWaited)
    }
}
