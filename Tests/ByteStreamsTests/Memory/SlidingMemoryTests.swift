import Dispatch
import Glibc
import StreamTestSupport
import Testing

@testable import ByteStreams

/// Memory that goes on, and is taken from behind the window.
@Suite(.timeLimit(.minutes(1)))
struct SlidingMemoryTests {
    /// - Parameter reserve: how many addresses there are; 0 for as few as possible, which are used again all the time.
    @Test(arguments: [UInt64(1), 4096, 3_000_000], [0, 1 << 30] as [UInt64])
    func `the window lies in front of every place, and room behind it`(window: UInt64, reserve: UInt64) throws {
        let size = 700_000
        let memory = try #require(SlidingMemory(window: window, regions: 2 * size, reserve: reserve))
        var position: UInt64 = 0
        for turn in 0..<60 {
            let region = memory.take(at: position, count: size)
            let back = Int(min(window, position))
            let before = UnsafeRawBufferPointer(start: region.baseAddress.map { $0 - back }, count: back)
            let places = Array(stride(from: 0, to: back, by: 999)) + (back > 0 ? [back - 1] : [])
            let others = places.filter { before[back - 1 - $0] != UInt8(turn - 1 - $0 / size) }
            #expect(others.isEmpty, "\(turn)")
            region.copyBytes(from: repeatElement(UInt8(turn), count: size))
            memory.give(at: position)
            position += UInt64(size)
        }
    }

    @Test(arguments: [0, 1 << 30] as [UInt64])
    func `what is at the end of the memory waits until nobody holds what it takes`(reserve: UInt64) async throws {
        let memory = try #require(SlidingMemory(window: 1, regions: 1 << 20, reserve: reserve))
        let size = Int(SlidingMemory.unit)
        let most = Int(memory.capacity / SlidingMemory.unit)
        for index in 0..<most { memory.take(at: UInt64(index * size), count: size)[0] = UInt8(index) }
        let hasWaited = try await within {
            let (isReleased, hasWaited, done) = (Locked(false), Locked(false), DispatchSemaphore(value: 0))
            try startThread {
                _ = memory.take(at: UInt64(most * size), count: size)
                hasWaited.withLock { $0 = isReleased.withLock { $0 } }
                done.signal()
            }
            // A later one that goes back first makes no room.
            memory.give(at: UInt64(size))
            usleep(50_000)
            isReleased.withLock { $0 = true }
            memory.give(at: 0)
            done.wait()
            return hasWaited.withLock { $0 }
        }
        #expect(hasWaited)
    }

    @Test func `more than there is is refused`() {
        #expect(SlidingMemory(window: .max - 10, regions: 100) == nil)
        #expect(SlidingMemory(window: 1 << 60, regions: 100) == nil)
    }
}
