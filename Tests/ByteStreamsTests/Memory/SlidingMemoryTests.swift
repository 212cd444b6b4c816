import StreamTestSupport
import Synchronization
import Testing

@testable import ByteStreams

/// Memory that goes on, and is taken from behind the window.
@Suite(.timeLimit(.minutes(4)))
struct SlidingMemoryTests {
    /// - Parameter reserve: how many addresses there are; 0 for as few as possible, which are used again all the time.
    @Test(arguments: [UInt64(1), 4096, 3_000_000], [0, 1 << 30] as [UInt64])
    func `the window lies in front of every place, and room behind it`(window: UInt64, reserve: UInt64) throws {
        let size = 700_000
        let memory = try #require(SlidingMemory(window: window, regions: 2 * size, reserve: reserve))
        var position: UInt64 = 0
        for turn in 0..<60 {
            let region = try memory.take(at: position, count: size)
            let back = Int(min(window, position))
            let before = UnsafeRawBufferPointer(start: region.baseAddress.map { $0 - back }, count: back)
            let wrong = stride(from: 0, to: back, by: 999).filter {
                before[back - 1 - $0] != UInt8(turn - 1 - $0 / size)
            }
            #expect(wrong == [], "\(turn)")
            #expect(back == 0 || before[0] == UInt8(turn - 1 - (back - 1) / size))
            region.initializeMemory(as: UInt8.self, repeating: UInt8(turn))
            memory.give(at: position)
            position += UInt64(size)
        }
    }

    @Test(arguments: [0, 1 << 30] as [UInt64])
    func `what is at the end of the memory waits until nobody holds what it takes`(reserve: UInt64) async throws {
        let memory = try #require(SlidingMemory(window: 1, regions: 1 << 20, reserve: reserve))
        let size = Int(SlidingMemory.unit)
        let most = Int(memory.capacity / SlidingMemory.unit)
        for index in 0..<most { try memory.take(at: UInt64(index * size), count: size)[0] = UInt8(index) }
        let isReleased = Atomic(false)
        async let waiting = within {
            let region = try memory.take(at: UInt64(most * size), count: size)
            return (region.count, isReleased.load(ordering: .acquiring))
        }
        // A later one that goes back first makes no room.
        memory.give(at: UInt64(size))
        try await Task.sleep(for: .milliseconds(50))
        isReleased.store(true, ordering: .releasing)
        memory.give(at: 0)
        let (count, hasWaited) = try await waiting
        #expect(count == size)
        #expect(hasWaited)
    }

    @Test func `only what is in use takes memory`() throws {
        let memory = try #require(SlidingMemory(window: 1, regions: 64 << 20))
        let size = Int(SlidingMemory.unit)
        for index in 0..<20 {
            let position = UInt64(index * size)
            _ = try memory.take(at: position, count: size)
            memory.give(at: position)
        }
        // One has the window, and one the region.
        #expect(memory.mappedSize == 2 * size)
    }

    @Test func `more than there is is refused`() {
        #expect(SlidingMemory(window: .max - 10, regions: 100) == nil)
        #expect(SlidingMemory(window: 1 << 60, regions: 100) == nil)
    }
}
