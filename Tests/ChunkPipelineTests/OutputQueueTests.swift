import Dispatch
import StreamTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import ByteStreams
@testable import ChunkPipeline

/// What waits for the stream, and what was written.
@Suite(.timeLimit(.minutes(4)))
struct OutputQueueTests {
    /// A stream whose writes end when a test says so, in any order.
    private final class Writes: ByteSink {
        let mostWrites: Int
        private let asked = Mutex<[(bytes: [UInt8], hole: UInt64, whenDone: @Sendable (Errno?) -> Void)]>([])

        init(most: Int) { mostWrites = most }

        var count: Int { asked.withLock { $0.count } }
        var bytes: [[UInt8]] { asked.withLock { $0.map(\.bytes) } }
        var holes: [UInt64] { asked.withLock { $0.map(\.hole) } }

        func write(_ bytes: Bytes, after hole: UInt64, whenDone: @escaping @Sendable (Errno?) -> Void) {
            asked.withLock { $0.append((bytes.elements, hole, whenDone)) }
        }

        func end(_ number: Int, _ error: Errno? = nil) { asked.withLock { $0[number].whenDone }(error) }
        func cancel() {}
    }

    private static func frame(_ bytes: [UInt8], source: Int = 1, hole: UInt64 = 0, _ freed: Count) -> ChunkResult {
        var frame = ChunkResult(bytes: Bytes(bytes), sourceSize: source, lease: Lease { freed.add(1) })
        (frame.gapBefore, frame.madeSize) = (hole, bytes.count)
        return frame
    }

    @Test(arguments: [1, 2, .max])
    func `as many writes are asked for as the stream takes, in order`(most: Int) {
        let (stream, freed) = (Writes(most: most), Count())
        let queue = OutputQueue(stream, monitor: nil)
        for number in 0..<5 { queue.write(Self.frame([UInt8(number)], freed)) }
        for number in 0..<5 {
            #expect(stream.count == (most == .max ? 5 : min(5, number + most)))
            #expect(!queue.isIdle)
            stream.end(number)
            queue.advance()
        }
        #expect(stream.bytes == (0..<5).map { [$0] })
        #expect(queue.isIdle && queue.written == 5)
        #expect(queue.total == Delivery(source: 5, made: 5))
        #expect(freed.valueAfterReleases == 5)
    }

    @Test(arguments: [1, .max])
    func `after a failure nothing is asked for, nothing arrives, and all memory goes`(most: Int) {
        let (stream, freed, monitor) = (Writes(most: most), Count(), Monitor([]))
        let queue = OutputQueue(stream, monitor: monitor)
        let failures = Mutex<[Errno]>([])
        queue.onWritten { if case .failure(let error) = $0 { failures.withLock { $0.append(error) } } }
        for number in 0..<4 { queue.write(Self.frame([UInt8(number)], freed)) }
        stream.end(0)
        queue.advance()
        stream.end(1, .noSpace)
        queue.advance()
        if most == .max { for number in 2..<4 { stream.end(number, .canceled) } }
        queue.write(Self.frame([9], freed))
        #expect(stream.count == (most == .max ? 4 : 2))
        #expect(failures.withLock { $0.first } == .noSpace)
        #expect(queue.written == 1 && queue.total == Delivery(source: 1, made: 1))
        #expect(monitor.deliveries.sum == Delivery(source: 1, made: 1) && monitor.deliveries.isWriting)
        #expect(freed.valueAfterReleases == 5)
        #expect(throws: Failure.writing(.noSpace)) { try queue.end() }
    }

    @Test func `holes are in front of the next bytes, or at the end`() throws {
        let (stream, freed) = (Writes(most: .max), Count())
        let queue = OutputQueue(stream, monitor: nil)
        queue.write(Self.frame([], hole: 5, freed))
        queue.write(Self.frame([1], hole: 7, freed))
        queue.write(Self.frame([2], freed))
        queue.write(Self.frame([], hole: 9, freed))
        #expect(stream.holes == [12, 0])
        for number in 0..<2 { stream.end(number) }
        #expect(queue.written == 14)
        try queue.end()
        #expect(queue.written == 23)
        #expect(freed.valueAfterReleases == 4)
    }

    @Test func `what is not written has arrived at once`() throws {
        let (freed, monitor) = (Count(), Monitor([]))
        let queue = OutputQueue(nil, monitor: monitor)
        queue.write(Self.frame([1, 2, 3], source: 100, freed))
        queue.advance()
        #expect(queue.isIdle && queue.written == 0)
        #expect(monitor.deliveries.sum == Delivery(source: 100, made: 3) && !monitor.deliveries.isWriting)
        #expect(freed.valueAfterReleases == 1)
        try queue.end()
    }
}
