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
        while let step = order.next() {
            if case .frame(let frame, _) = step { bytes += frame.bytes.elements }
        }
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

    /// Puts a header in front of each frame but the first, and has room for some.
    private struct Headers: Envelope {
        let most: Int
        var count = 0
        var looksCompleteAfterFirst = false

        mutating func append(_ frame: ChunkResult) throws(Failure) -> [UInt8] {
            if count == most { throw .outOfMemory }
            count += 1
            return count > 1 ? [99] : []
        }

        func trailer() -> [UInt8] { [UInt8(count)] }
    }

    @Test func `what the envelope says goes in front of a frame, and the order settles behind all of them`() throws {
        var order = FrameOrder(Headers(most: 2))
        order.settle()
        order.insert(Self.made([4, 5]), at: 1, isLast: true)
        order.insert(Self.made([1, 2, 3]), at: 0, isLast: true)
        var (bytes, settled) = ([UInt8](), [Int]())
        while let step = order.next() {
            switch step {
            case .frame(let frame, let header): bytes += header + frame.bytes.elements
            case .settled: settled.append(bytes.count)
            }
        }
        #expect(bytes == [1, 2, 3, 99, 4, 5])
        #expect(settled == [bytes.count])
        #expect(try order.trailer() == [2])
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
        var (order, bytes) = (FrameOrder(Headers(most: 9, looksCompleteAfterFirst: true), isSeen: true), [UInt8]())
        if isEarly { Self.followers[follower].come(&order) }
        order.insert(Self.made([1]), at: 0, isLast: true)
        bytes += Self.drain(&order)
        #expect(isEarly || bytes.isEmpty)
        if !isEarly { Self.followers[follower].come(&order) }
        #expect(bytes + Self.drain(&order) == Self.followers[follower].seen)
    }

    @Test func `a first frame goes out at once if nobody sees it, or it does not look complete`() {
        for (looksComplete, isSeen) in [(true, false), (false, true)] {
            var order = FrameOrder(Headers(most: 9, looksCompleteAfterFirst: looksComplete), isSeen: isSeen)
            order.insert(Self.made([1]), at: 0, isLast: true)
            #expect(Self.drain(&order) == [1])
        }
    }

    @Test func `a frame for which the envelope has no room is a failure`() {
        var order = FrameOrder(Headers(most: 1))
        for index in 0..<3 { order.insert(Self.made([UInt8(index)]), at: index, isLast: true) }
        #expect(Self.drain(&order) == [0])
        #expect(order.failure == .outOfMemory)
    }
}
