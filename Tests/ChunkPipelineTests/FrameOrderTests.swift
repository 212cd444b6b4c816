import StreamTestSupport
import SystemPackage
import Testing

@testable import ByteStreams
@testable import ChunkPipeline

/// What goes out next is decided without threads, locks or files.
@Suite struct FrameOrderTests {
    private static func made(_ bytes: [UInt8], isContinued: Bool = false) -> Result<ChunkResult, Failure> {
        var frame = ChunkResult(bytes: Bytes(bytes), sourceSize: bytes.count)
        frame.isContinued = isContinued
        return .success(frame)
    }

    /// Everything that goes out now.
    private static func drain(_ order: inout FrameOrder) -> [UInt8] {
        var bytes: [UInt8] = []
        while let frame = try? order.next() { bytes += frame.bytes.elements }
        return bytes
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `frames go out in order, whatever the order in which they come`(seed: UInt64) {
        var (order, numbers, bytes) = (FrameOrder(), SeededNumbers(seed: seed), [UInt8]())
        for index in (0..<50).shuffled(using: &numbers) {
            order.insert(Self.made([UInt8(index)]), at: index, isLast: true)
            bytes += Self.drain(&order)
        }
        #expect(bytes == Array(0..<50))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `behind a failure nothing goes out, and before it everything does`(seed: UInt64) {
        var (order, numbers, bytes) = (FrameOrder(), SeededNumbers(seed: seed), [UInt8]())
        for index in (0..<50).shuffled(using: &numbers) {
            let arrival = index == 30 ? .failure(.reading(.ioError)) : Self.made([UInt8(index)])
            order.insert(arrival, at: index, isLast: true)
            bytes += Self.drain(&order)
        }
        #expect(bytes == Array(0..<30))
        #expect(order.failure == .reading(.ioError))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `after the last chunk that counts nothing goes out, and no failure matters`(seed: UInt64) {
        var (order, numbers, bytes) = (FrameOrder(), SeededNumbers(seed: seed), [UInt8]())
        let ended = Int.random(in: 1..<90, using: &numbers)
        var seen: Set<Int> = []
        // Two frames of each chunk; the last chunk that counts ends after the rest.
        let arrivals = (0..<100).flatMap { [$0, $0] }.filter { $0 != 30 }.shuffled(using: &numbers)
        for (step, index) in arrivals.enumerated() {
            if step == ended { order.end(after: 30) }
            let isLast = !seen.insert(index).inserted
            let outcome = isLast && index > 50 ? .failure(.reading(.ioError)) : Self.made([UInt8(index)])
            order.insert(outcome, at: index, isLast: isLast)
            bytes += Self.drain(&order)
        }
        order.insert(Self.made([30]), at: 30, isLast: true)
        bytes += Self.drain(&order)
        #expect(bytes == (0..<30).flatMap { [UInt8($0), UInt8($0)] } + [30])
        #expect(order.nextIndex == 31)
        #expect(order.failure == nil)
    }

    @Test func `a failure lets go of the frames after it, whose memory a worker may wait for`() async throws {
        let (count, failure) = try await within {
            let memory = try #require(SlidingMemory(window: 1, regions: 1))
            let size = Int(SlidingMemory.unit)
            let places = stride(from: 0, to: memory.capacity, by: size)
            var order = FrameOrder()
            for (index, place) in places.enumerated() {
                let output = try OutputBuffer(in: memory, at: place, count: size)
                let frame = ChunkResult(bytes: output.finish(count: size), sourceSize: 1)
                // The first one does not come.
                order.insert(.success(frame), at: index + 1, isLast: true)
            }
            order.fail(.reading(.ioError))
            let count = try memory.take(at: memory.capacity, count: size).count
            return (count, order.failure)
        }
        #expect(count == Int(SlidingMemory.unit))
        #expect(failure == .reading(.ioError))
    }

    @Test func `when no more is needed, no failure counts`() {
        var order = FrameOrder()
        order.insert(Self.made([1]), at: 0, isLast: true)
        order.insert(.failure(.reading(.ioError)), at: 1, isLast: true)
        order.isComplete = true
        #expect(Self.drain(&order) == [1])
        #expect(order.failure == nil)
    }

    @Test func `what is held back goes out when the slots are full enough, and when the input ends`() {
        var order = FrameOrder(holdBack: HoldBack(until: 2))
        order.insert(Self.made([1]), at: 0, isLast: true)
        #expect(Self.drain(&order).isEmpty)
        order.slotsDidChange(by: 2)
        #expect(Self.drain(&order) == [1])
        order.slotsDidChange(by: -2)
        order.outputDidRunDry()
        order.insert(Self.made([2]), at: 1, isLast: true)
        #expect(Self.drain(&order).isEmpty)
        order.inputDidEnd()
        #expect(Self.drain(&order) == [2])
    }

    @Test func `something is due if and only if there is a next frame, or a failure`() {
        for seed in 0..<300 as Range<UInt64> {
            var (numbers, count) = (SeededNumbers(seed: seed), 12)
            let failing = Int.random(in: 0..<2 * count, using: &numbers)
            var order = FrameOrder(
                holdBack: HoldBack(until: Int.random(in: 0..<3, using: &numbers)),
                holdsFirst: Bool.random(using: &numbers))
            for (step, index) in (0..<count).shuffled(using: &numbers).enumerated() {
                order.insert(
                    index == failing ? .failure(.outOfMemory) : Self.made([UInt8(index)]), at: index,
                    isLast: index % 3 > 0)
                if index % 3 == 0 { order.insert(Self.made([]), at: index, isLast: true) }
                if step % 5 == 2 { order.slotsDidChange(by: 1) }
                if step == count - 1 { order.inputDidEnd() }
                if step % 4 == 3 { order.outputDidRunDry() }
                while true {
                    let isDue = order.isDue()
                    let next = Result { () throws(Failure) in try order.next() }
                    if case .success(nil) = next { #expect(!isDue) } else { #expect(isDue) }
                    guard case .success(.some) = next else { break }
                }
            }
            count = failing < count ? failing : count
            #expect(order.failure == (failing < 12 ? .outOfMemory : nil))
            if order.failure == nil { #expect(order.nextIndex == count) }
        }
    }

    /// What may follow a first frame, and what a reader sees then.
    private static let followers: [(come: @Sendable (inout FrameOrder) -> Void, seen: [UInt8])] = [
        ({ $0.insert(made([2]), at: 1, isLast: true) }, [1, 2]),
        ({ $0.inputDidEnd() }, [1]),
        ({ $0.inputDidEnd(because: .cancelled) }, []),
        (
            { order in
                order.insert(.failure(.reading(.ioError)), at: 1, isLast: true)
                order.inputDidEnd()
            }, []
        ),
    ]

    @Test(arguments: [true, false], 0..<4)
    func `a first frame that looks complete waits for what follows, and is dropped before a failure`(
        isEarly: Bool, follower: Int
    ) {
        var (order, bytes) = (FrameOrder(holdsFirst: true), [UInt8]())
        if isEarly { Self.followers[follower].come(&order) }
        order.insert(Self.made([1]), at: 0, isLast: true)
        bytes += Self.drain(&order)
        #expect(isEarly || bytes.isEmpty)
        if !isEarly { Self.followers[follower].come(&order) }
        #expect(bytes + Self.drain(&order) == Self.followers[follower].seen)
    }
}
