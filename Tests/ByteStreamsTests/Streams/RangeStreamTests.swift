import Dispatch
import StreamTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import ByteStreams

/// An origin whose answers come in any order, and may fail.
private final class ScriptedRanges: RangeSource {
    let bytes: [UInt8]
    private let wait: @Sendable (Int) -> Void
    private let isFailing: @Sendable (Int) -> Bool
    let asked = Mutex<[Range<Int>]>([])
    let most = Mutex((now: 0, most: 0))
    let isCancelled = Atomic(false)

    init(
        size: Int, wait: @escaping @Sendable (Int) -> Void = { _ in },
        isFailing: @escaping @Sendable (Int) -> Bool = { _ in false }
    ) {
        bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
        self.wait = wait
        self.isFailing = isFailing
    }

    var size: Int { bytes.count }

    func read(from offset: Int, into memory: inout OutputRawSpan) throws {
        let range = offset..<offset + memory.freeCapacity
        asked.withLock { $0.append(range) }
        most.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        defer { most.withLock { $0.now -= 1 } }
        wait(offset)
        if isFailing(offset) { throw Failure(.reading, "no byte \(offset)") }
        for byte in bytes[range] { memory.append(byte, as: UInt8.self) }
    }

    func cancel() { isCancelled.store(true, ordering: .relaxed) }
}

@Suite(.timeLimit(.minutes(4))) struct ReadAheadSourceTests {
    @Test func `small steps over an origin are few large reads, and the same bytes`() async throws {
        let origin = ScriptedRanges(size: 5_300_000)
        let source = ReadAheadSource(origin)
        let isRight = try await within {
            var (position, isRight, numbers) = (0, true, SeededNumbers(seed: 1))
            while position < origin.size {
                let count = min(origin.size - position, Int.random(in: 1...70_000, using: &numbers))
                var bytes = [UInt8](repeating: 0, count: count)
                var span = bytes.mutableSpan
                try span.withUnsafeMutableBytes { memory throws(Failure) in
                    try source.fill(memory, from: UInt64(position))
                }
                isRight = isRight && bytes.elementsEqual(origin.bytes[position..<position + count])
                position += count
            }
            return isRight
        }
        #expect(isRight)
        #expect(origin.asked.withLock { $0.count } == 6)
        #expect(origin.most.withLock { $0.most } > 1)
    }

    @Test func `what a disk has lost costs no other byte of the piece`() throws {
        struct Disk: RangeSource {
            let size = 3 << 20

            func read(from offset: Int, into memory: inout OutputRawSpan) throws {
                let end = offset + memory.freeCapacity
                if offset <= 1_500_000, end > 1_500_000 { throw Failure.reading(.ioError) }
                for place in offset..<end { memory.append(UInt8(place % 251), as: UInt8.self) }
            }
        }
        let source = ReadAheadSource(Disk())
        // From piece to piece, too.
        for (place, count) in [(1_499_990, 10), (1_499_991, 10), (1_500_001, 800_000), (1 << 20, 1 << 20), (700, 900)] {
            var bytes = [UInt8](repeating: 0, count: count)
            var span = bytes.mutableSpan
            let outcome = Result { () throws(Failure) in
                try span.withUnsafeMutableBytes { memory throws(Failure) in try source.fill(memory, from: UInt64(place))
                }
            }
            let isLost = (place..<place + count).contains(1_500_000)
            #expect(((try? outcome.get()) == nil) == isLost)
            let isRight = isLost || bytes.elementsEqual((place..<place + count).lazy.map { UInt8($0 % 251) })
            #expect(isRight)
        }
    }

    @Test func `what an origin can't give is a failure each time`() async throws {
        let source = ReadAheadSource(ScriptedRanges(size: 3 << 20, isFailing: { $0 == 1 << 20 }))
        try await within {
            for place in [UInt64(100), 1 << 20, 1 << 20, 2 << 20] {
                var bytes = [UInt8](repeating: 0, count: 10)
                var span = bytes.mutableSpan
                let outcome = Result { () throws(Failure) in
                    try span.withUnsafeMutableBytes { memory throws(Failure) in try source.fill(memory, from: place) }
                }
                #expect(((try? outcome.get()) == nil) == (place == 1 << 20))
            }
        }
    }
}

@Suite(.timeLimit(.minutes(4))) struct RangeStreamTests {
    private static let piece = 1000

    private func all(_ stream: RangeStream, by count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let more = try stream.read(count, until: nil) {
            #expect(more.count > 0 && more.count <= count)
            bytes += more.elements
        }
        return bytes
    }

    @Test(arguments: [0, 1, piece - 1, piece, piece + 1, 7 * piece + 3])
    func `all bytes come in order, in whatever order the pieces do`(size: Int) throws {
        let origin = ScriptedRanges(size: size) { offset in
            pause(Double(offset / Self.piece % 3) * 0.003)
        }
        let bytes = try all(RangeStream(origin, 0..<UInt64(size), pieceSize: UInt64(Self.piece)), by: 300)
        #expect(bytes == origin.bytes)
        let asked = origin.asked.withLock { $0.reduce(0) { $0 + $1.count } }
        #expect(asked == size)
    }

    @Test func `a part of the origin counts from its start`() throws {
        let origin = ScriptedRanges(size: 1000)
        let stream = RangeStream(origin, 100..<900)
        #expect(try stream.read(10, until: nil)?.elements == Array(origin.bytes[100..<110]))
        #expect(stream.seek(to: 500))
        #expect(try all(stream, by: 1000) == Array(origin.bytes[600..<900]))
        #expect(stream.seek(to: 790))
        #expect(try all(stream, by: 1000) == Array(origin.bytes[890..<900]))
    }

    @Test func `only what is expected is read, and neighbours together`() throws {
        let origin = ScriptedRanges(size: 900_000)
        let stream = RangeStream(origin, 0..<900_000)
        let ranges: [Range<UInt64>] = [800_000..<800_100, 10..<20, 1000..<2000, 400_000..<400_001]
        let rest = Locked(ranges[...])
        stream.expect { rest.withLock { $0.popFirst() } }
        for range in ranges {
            #expect(stream.seek(to: range.lowerBound))
            let bytes = try #require(try stream.read(range.count, until: nil)).elements
            #expect(bytes == Array(origin.bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
        }
        let asked = Set(origin.asked.withLock { $0 })
        #expect(asked == [800_000..<800_100, 10..<2000, 400_000..<400_001])
    }

    @Test func `what was not expected is read all the same`() throws {
        let origin = ScriptedRanges(size: 1000)
        let stream = RangeStream(origin, 0..<1000)
        stream.expect { nil }
        #expect(stream.seek(to: 990))
        #expect(try all(stream, by: 100) == Array(origin.bytes[990...]))
    }

    @Test(arguments: [0, piece, 3 * piece]) func `a failure ends the bytes where it happened`(place: Int) throws {
        let origin = ScriptedRanges(size: 5 * Self.piece, isFailing: { $0 == place })
        let stream = RangeStream(origin, 0..<UInt64(origin.size), pieceSize: UInt64(Self.piece))
        var count = 0
        #expect(throws: Failure(.reading, "no byte \(place)")) {
            while let bytes = try stream.read(300, until: nil) { count += bytes.count }
        }
        #expect(count == place)
    }

    @Test func `no more than sixteen pieces are held, however slowly they are read`() throws {
        let origin = ScriptedRanges(size: 40 * Self.piece) { _ in pause(0.001) }
        let stream = RangeStream(origin, 0..<UInt64(origin.size), pieceSize: UInt64(Self.piece))
        var count = 0
        while let bytes = try stream.read(Self.piece, until: nil) {
            count += bytes.count
            pause(0.002)
            let asked = origin.asked.withLock { $0.count }
            #expect(asked <= count / Self.piece + 16)
        }
        #expect(origin.most.withLock { $0.most } <= 16)
    }

    @Test func `more reads are made as long as they bring more`() throws {
        let origin = ScriptedRanges(size: 100 * Self.piece) { _ in pause(0.02) }
        _ = try all(RangeStream(origin, 0..<UInt64(origin.size), pieceSize: UInt64(Self.piece)), by: Self.piece)
        #expect(origin.most.withLock { $0.most } > 4)
    }

    @Test func `the wait for a piece ends at the deadline, and for good`() async throws {
        try await within {
            let gate = DispatchSemaphore(value: 0)
            let origin = ScriptedRanges(size: 100) { _ in gate.wait() }
            let stream = RangeStream(origin, 0..<100)
            let late = try stream.read(10, until: .now() + .milliseconds(5))
            #expect(late?.isEmpty == true)
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { stream.cancel() }
            let cancelled = try stream.read(10, until: nil)
            #expect(cancelled?.isEmpty == true)
            let isCancelled = origin.isCancelled.load(ordering: .relaxed)
            #expect(isCancelled)
            gate.signal()
        }
    }

    @Test func `an origin with too few bytes is a failure`() throws {
        struct Short: RangeSource {
            let size = 10
            func read(from offset: Int, into memory: inout OutputRawSpan) { memory.append(0, as: UInt8.self) }
        }
        struct Trouble: Error {}
        struct Broken: RangeSource {
            let size = 10
            func read(from offset: Int, into memory: inout OutputRawSpan) throws { throw Trouble() }
        }
        let failure = #expect(throws: Failure.self) { try Source(Short()).bytes(at: 0, count: 10) }
        #expect(failure?.message.contains("9 bytes are missing") == true)
        let other = #expect(throws: Failure.self) { try Source(Broken()).bytes(at: 3, count: 2) }
        #expect(other?.cause is Trouble)
    }
}
