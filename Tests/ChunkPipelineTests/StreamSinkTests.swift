import StreamTestSupport
import SystemPackage
import Testing

@testable import ByteStreams
@testable import ChunkPipeline

/// What is handed to the stream, and what counts as written.
@Suite(.timeLimit(.minutes(4)))
struct StreamSinkTests {
    private static func piece(_ bytes: [UInt8], source: Int = 1, hole: UInt64 = 0, _ freed: Count) -> Piece {
        var piece = Piece(
            Bytes(bytes), sizes: Delivery(source: source, made: bytes.count), lease: Lease { freed.add(1) })
        piece.gapBefore = hole
        return piece
    }

    private static func make(_ stream: ScriptedSink?, _ monitor: Monitor) -> (StreamSink, WriteCount) {
        let count = WriteCount()
        count.onChange { monitor.didDeliver($0.sizes, isWriting: $0.isWriting) }
        return (StreamSink(stream, count: count, monitor: monitor), count)
    }

    @Test(arguments: [0, 1, 3])
    func `after a failure nothing is written or arrives, and all memory goes`(write: Int) throws {
        let (stream, freed, monitor) = (ScriptedSink(failing: (write, .noSpace)), Count(), Monitor([]))
        let (sink, count) = Self.make(stream, monitor)
        for number in 0..<write { try sink.write(Self.piece([UInt8(number)], freed)) }
        #expect(!monitor.deliveries.isWriting)
        #expect(throws: Failure.writing(.noSpace)) { try sink.write(Self.piece([9], freed)) }
        // What precedes a failure would be written now; there is nothing left for it.
        try sink.flush()
        #expect(stream.bytes == (0..<write).map { UInt8($0) })
        #expect(count.written == UInt64(write) && count.sizes == Delivery(source: write, made: write))
        #expect(monitor.deliveries.sum == Delivery(source: write, made: write) && monitor.deliveries.isWriting)
        #expect(freed.valueAfterReleases == write + 1)
    }

    @Test func `holes are in front of the next bytes, or at the end`() throws {
        let (stream, freed) = (ScriptedSink(joins: true), Count())
        let (sink, count) = Self.make(stream, Monitor([]))
        try sink.write(Self.piece([], hole: 5, freed))
        try sink.write(Self.piece([1], hole: 7, freed))
        try sink.write(Self.piece([2], freed))
        try sink.write(Self.piece([3], hole: 1, freed))
        try sink.write(Self.piece([], hole: 9, freed))
        try sink.flush()
        #expect(count.written == 16)
        try sink.end()
        #expect(count.written == 25)
        let zeros = { [UInt8](repeating: 0, count: $0) }
        #expect(stream.bytes == zeros(12) + [1, 2] + zeros(1) + [3] + zeros(9))
        #expect(freed.valueAfterReleases == 5)
    }

    @Test func `what is not written has arrived at once`() throws {
        let (freed, monitor) = (Count(), Monitor([]))
        let (sink, count) = Self.make(nil, monitor)
        try sink.write(Self.piece([1, 2, 3], source: 100, freed))
        try sink.flush()
        #expect(count.written == 0)
        #expect(monitor.deliveries.sum == Delivery(source: 100, made: 3) && !monitor.deliveries.isWriting)
        #expect(freed.valueAfterReleases == 1)
        try sink.end()
    }

    @Test(arguments: 0..<30 as Range<UInt64>, [false, true])
    func `small pieces are written together, and everything in its order`(seed: UInt64, joins: Bool) throws {
        var numbers = SeededNumbers(seed: seed)
        let sizes = (0..<200).map { _ in
            Int.random(in: 0..<10, using: &numbers) == 0 ? 65536 : Int.random(in: 0..<9000, using: &numbers)
        }
        let (stream, freed, monitor) = (ScriptedSink(joins: joins), Count(), Monitor([]))
        let (sink, count) = Self.make(stream, monitor)
        var whole: [UInt8] = []
        for (number, size) in sizes.enumerated() {
            let bytes = sample(size, seed: UInt64(number))
            whole += bytes
            try sink.write(Self.piece(bytes, freed))
            // A copy keeps no memory, and a sink that does not wait would keep copies without end.
            if joins { #expect(freed.valueAfterReleases == number + 1) }
            if Int.random(in: 0..<50, using: &numbers) == 0 {
                try sink.flush()
                #expect(stream.bytes.count == whole.count)
            }
        }
        try sink.flush()
        #expect(stream.bytes.isSame(as: whole))
        #expect(joins ? stream.writes < sizes.count / 2 : stream.writes == sizes.count { $0 > 0 })
        #expect(count.written == UInt64(whole.count))
        #expect(monitor.deliveries.sum == Delivery(source: sizes.count, made: whole.count))
        #expect(freed.valueAfterReleases == sizes.count)
    }
}
