import Synchronization
import Testing

@testable import Sluice

/// How the bytes of the output become requests.
@Suite struct OutgoingTests {
    /// Runs what is done, and returns how often that let memory go.
    private func freed(_ outgoing: inout Outgoing, _ count: Count) -> Int {
        for whenFree in outgoing.takeDone() { whenFree() }
        return count.value
    }

    @Test func `bytes between holes are requests that know how much is left out before them`() throws {
        let count = Count()
        var outgoing = Outgoing(hasSink: true, hasBlocks: false)
        try outgoing.append(Bytes([1, 0, 0, 2, 0]), without: [1..<3, 4..<5]) { count.add() }
        let (first, second) = (outgoing.next(), outgoing.next())
        #expect(first?.bytes.elements == [1])
        #expect(first?.hole == 0)
        #expect(second?.bytes.elements == [2])
        #expect(second?.hole == 2)
        #expect(outgoing.next() == nil)
        first?.whenFree()
        #expect(count.value == 0)
        second?.whenFree()
        #expect(count.value == 1)
        #expect(outgoing.takeHole() == 1)
    }

    @Test func `bytes that are nothing but a hole go without a request`() throws {
        let count = Count()
        var outgoing = Outgoing(hasSink: true, hasBlocks: false)
        try outgoing.append(Bytes([0, 0]), without: [0..<2]) { count.add() }
        #expect(outgoing.next() == nil)
        #expect(freed(&outgoing, count) == 1)
        #expect(outgoing.takeHole() == 2)
    }

    @Test func `what fills blocks is requested in blocks, few at once, and its memory goes when it is copied`() throws {
        let (count, begun) = (Count(), Count())
        var outgoing = Outgoing(hasSink: true, hasBlocks: true)
        let size = BlockBuffer.blockSize
        for _ in 0..<4 {
            let bytes = Bytes([UInt8](repeating: 7, count: size - 1))
            try outgoing.append(bytes) { count.add() }
        }
        let begin = { @Sendable () -> @Sendable () -> Void in
            begun.add()
            return {}
        }
        try outgoing.requestBlocks(begin)
        #expect(begun.value == 2)
        // The third block is full too, and waits.
        #expect(freed(&outgoing, count) == 3)
        #expect(outgoing.next()?.bytes.count == size)
        outgoing.blocksAreFree(1)
        try outgoing.requestBlocks(begin)
        #expect(begun.value == 3)
        #expect(freed(&outgoing, count) == 4)
        #expect(outgoing.next()?.bytes.count == size)
        #expect(outgoing.next()?.bytes.count == size)
        outgoing.requestRest {}
        #expect(outgoing.next()?.bytes.count == size - 4)
    }
}

private final class Count: Sendable {
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .relaxed) }
    func add() { number.add(1, ordering: .relaxed) }
}
