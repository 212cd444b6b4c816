import StreamTestSupport
import Testing

@testable import ByteStreams
@testable import ChunkPipeline

struct ReorderBufferTests {
    /// Every order of the numbers below `count`.
    static func permutations(_ count: Int) -> [[Int]] {
        count == 0
            ? [[]]
            : permutations(count - 1).flatMap { shorter in
                (0..<count).map { place in
                    var longer = shorter
                    longer.insert(count - 1, at: place)
                    return longer
                }
            }
    }

    static func drain(_ buffer: inout ReorderBuffer<Int>) -> [Int] {
        var elements: [Int] = []
        while let element = buffer.popReady() { elements.append(element) }
        return elements
    }

    @Test(arguments: permutations(5))
    func `any order comes out in order, as soon as it can`(order: [Int]) {
        var buffer = ReorderBuffer<Int>()
        var out: [Int] = []
        for (step, index) in order.enumerated() {
            buffer.insert(index, at: index, isLast: true)
            out += Self.drain(&buffer)
            let inserted = Set(order[...step])
            let due = (0..<5).prefix { inserted.contains($0) }
            #expect(out == Array(due))
            #expect(buffer.count == inserted.count - due.count)
        }
        #expect(buffer.next == 5)
    }

    /// Each number names an index; its elements are index * 10 + 0, 1 and 2, the last of which says so.
    @Test(arguments: permutations(3).flatMap { order in [order.flatMap { [$0, $0, $0] }, order + order + order] })
    func `the elements of one index stay together, in their own order`(indices: [Int]) {
        var buffer = ReorderBuffer<Int>()
        var pieces = [0, 0, 0]
        var out: [Int] = []
        for index in indices {
            buffer.insert(index * 10 + pieces[index], at: index, isLast: pieces[index] == 2)
            pieces[index] += 1
            out += Self.drain(&buffer)
        }
        #expect(out == [0, 1, 2, 10, 11, 12, 20, 21, 22])
        #expect(buffer.count == 0)
    }

    @Test func `the elements of the index that is due do not wait for its last`() {
        var buffer = ReorderBuffer<Int>()
        buffer.insert(10, at: 1, isLast: true)
        buffer.insert(0, at: 0, isLast: false)
        #expect(Self.drain(&buffer) == [0])
        buffer.insert(1, at: 0, isLast: false)
        #expect(Self.drain(&buffer) == [1])
        buffer.insert(2, at: 0, isLast: true)
        #expect(Self.drain(&buffer) == [2, 10])
    }

    @Test func `nothing comes out of nothing`() {
        var buffer = ReorderBuffer<Int>()
        #expect(buffer.popReady() == nil)
        #expect(buffer.count == 0)
    }
}
