import Synchronization
import SystemPackage
import Testing

@testable import Sluice

/// How the bytes of the output become requests.
@Suite struct OutgoingTests {
    /// Runs what is done, and returns how often that let memory go.
    private func freed(_ outgoing: inout Outgoing, _ count: Count) -> Int {
        for whenFree in outgoing.takeDone() { whenFree() }
        return count.value
    }

    private func sink() throws -> Sink { try Sink(.standardError) }

    @Test func `bytes between holes are requests that know how much is left out before them`() throws {
        let count = Count()
        var outgoing = Outgoing(to: try sink(), hasBlocks: false)
        outgoing.append(Bytes([1, 0, 0, 2, 0]), without: [1..<3, 4..<5]) { count.add() }
        let (first, second) = (outgoing.next(), outgoing.next())
        #expect(first?.bytes.elements == [1])
        #expect(first?.hole == 0)
        // One at a time, for what is written stays after a failure.
        #expect(second == nil)
        outgoing.didEnd()
        first?.whenFree()
        #expect(freed(&outgoing, count) == 0)
        let third = outgoing.next()
        #expect(third?.bytes.elements == [2])
        #expect(third?.hole == 2)
        third?.whenFree()
        #expect(freed(&outgoing, count) == 1)
        #expect(outgoing.takeHole() == 1)
    }

    @Test func `bytes that are nothing but a hole go without a request`() throws {
        let count = Count()
        var outgoing = Outgoing(to: try sink(), hasBlocks: false)
        outgoing.append(Bytes([0, 0]), without: [0..<2]) { count.add() }
        #expect(outgoing.next() == nil)
        #expect(freed(&outgoing, count) == 1)
        #expect(outgoing.takeHole() == 2)
    }

    @Test func `what fills blocks is requested in blocks, few at once, and its memory goes when it is copied`() throws {
        let (count, begun) = (Count(), Count())
        var outgoing = Outgoing(to: try sink(), hasBlocks: true)
        let size = BlockBuffer.blockSize
        for _ in 0..<4 {
            let bytes = Bytes([UInt8](repeating: 7, count: size - 1))
            outgoing.append(bytes) { count.add() }
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
        outgoing.didEnd()
        outgoing.blockIsFree()
        try outgoing.requestBlocks(begin)
        #expect(begun.value == 3)
        #expect(freed(&outgoing, count) == 4)
        #expect(outgoing.next()?.bytes.count == size)
        outgoing.didEnd()
        #expect(outgoing.next()?.bytes.count == size)
        outgoing.didEnd()
        let hasRest = outgoing.hasRest
        #expect(hasRest)
        outgoing.requestRest {}
        #expect(outgoing.next()?.bytes.count == size - 4)
    }

    @Test func `after a failure nothing is requested, and all memory goes`() throws {
        let count = Count()
        var outgoing = Outgoing(to: try sink(), hasBlocks: false)
        for number in 0..<3 {
            outgoing.append(Bytes([UInt8(number)])) { count.add() }
        }
        #expect(outgoing.next() != nil)
        outgoing.didFail()
        #expect(freed(&outgoing, count) == 2)
        outgoing.append(Bytes([9])) { count.add() }
        #expect(outgoing.next() == nil)
        #expect(freed(&outgoing, count) == 3)
        let isEmpty = outgoing.isEmpty
        #expect(isEmpty)
    }
}

private final class Count: Sendable {
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .relaxed) }
    func add() { number.add(1, ordering: .relaxed) }
}
