import Dispatch
import StreamTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import ByteStreams
@testable import ChunkPipeline

/// What each sink does to what passes.
@Suite(.timeLimit(.minutes(4)))
struct ContentSinkTests {
    /// Keeps what it is given, and lets memory go when a test says so.
    private final class Collecting: ContentSink {
        private(set) var pieces: [Piece] = []
        private(set) var hasFlushed = false
        /// Calls it for each piece.
        var onWrite: (Collecting) -> Void = { _ in }

        /// What was written, with zeros for holes.
        var content: [UInt8] {
            pieces.flatMap { [UInt8](repeating: 0, count: Int($0.gapBefore)) + $0.bytes.elements }
        }
        var wholeBlocks: Int { pieces.count { $0.bytes.count == Sink.blockSize } }
        var sizes: Delivery { pieces.reduce(into: Delivery()) { $0 += $1.sizes } }

        func write(_ piece: consuming Piece) {
            pieces.append(piece)
            onWrite(self)
        }

        func flush() { hasFlushed = true }
        func end() {}

        /// Lets the memory of pieces go.
        func free(_ range: Range<Int>) { for position in range { pieces[position].lease = nil } }
    }

    private static func piece(_ bytes: [UInt8], holes: [Range<Int>] = [], _ freed: Count = Count()) -> Piece {
        var piece = Piece(
            Bytes(bytes), sizes: Delivery(source: 1, made: bytes.count), lease: Lease { freed.add(1) })
        piece.holes = holes
        return piece
    }

    @Test(
        arguments: [[1..<3, 4..<5], [0..<2], [0..<5], [2..<5], [0..<1, 2..<3, 4..<5], [1..<2], []] as [[Range<Int>]])
    func `the bytes between holes follow one another, and the memory goes with the last`(
        holes: [Range<Int>]
    ) throws {
        let (inner, freed) = (Collecting(), Count())
        let sink = HoleSink(inner)
        let zeros = holes.reduce(into: [UInt8](repeating: 7, count: 5)) { bytes, hole in
            for position in hole { bytes[position] = 0 }
        }
        var piece = Self.piece(zeros, holes: holes, freed)
        piece.gapBefore = 2
        try sink.write(piece)
        #expect(inner.content == [0, 0] + zeros)
        #expect(inner.pieces.allSatisfy { !$0.bytes.elements.contains(0) })
        #expect(inner.sizes == Delivery(source: 1, made: 5))
        let data = inner.pieces.indices.filter { !inner.pieces[$0].bytes.isEmpty }
        #expect(data.dropLast().filter { !inner.pieces[$0].isContinued }.isEmpty)
        piece.lease = nil
        for position in data.dropLast() { inner.free(position..<position + 1) }
        #expect(freed.valueAfterReleases == 0)
        inner.free(0..<inner.pieces.count)
        #expect(freed.valueAfterReleases == 1)
    }

    @Test(arguments: [0, 3, 5, 8], [false, true])
    func `what is there is not written again, and the rest of it is cut off`(
        same: Int, isLonger: Bool
    ) throws {
        let content: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        let file = try NamelessFile(Array(content[..<same]) + (isLonger ? [99, 99, 99, 99, 99] : []))
        let (inner, freed) = (Collecting(), Count())
        let kept = try #require(
            try Sink(file.descriptor, resumption: .ofAnySource).kept(replacesOthers: true)
                ?? (same == 0 && !isLonger ? ResumeComparison(file.descriptor, replacesOthers: true) : nil))
        let sink = ResumingSink(inner, kept)
        for part in [content[..<2], content[2..<5], content[5...]] { try sink.write(Self.piece(Array(part), freed)) }
        try sink.flush()
        #expect(inner.pieces.reduce(0) { $0 + Int($1.gapBefore) } == same)
        #expect(inner.pieces.flatMap { $0.bytes.elements } == Array(content[same...]))
        #expect(inner.sizes == Delivery(source: 3, made: 8))
        #expect(inner.hasFlushed)
        #expect(try file.content == Array(content[..<same]))
    }

    @Test func `of another source nothing is written, and the memory goes`() throws {
        let file = try NamelessFile([1, 2, 9])
        let freed = Count()
        let sink = ResumingSink(Collecting(), ResumeComparison(file.descriptor, replacesOthers: false))
        #expect(throws: Failure.otherSource(offset: 2)) {
            try sink.write(Self.piece([1, 2, 3], freed))
        }
        #expect(freed.valueAfterReleases == 1)
    }

    // MARK: Blocks

    private static let size = Sink.blockSize

    @Test(arguments: [0, 1, size - 1, size, size + 1, 3 * size + 5], [1000, size / 2, size, 4 * size])
    func `blocks and rest are what was written, in order`(count: Int, piece: Int) throws {
        let (inner, freed, content) = (Collecting(), Count(), sample(count))
        let sink = BlockSink(inner)
        var pieces = 0
        // Blocks are written at once.
        inner.onWrite = { $0.free($0.pieces.count - 1..<$0.pieces.count) }
        for start in stride(from: 0, to: count, by: piece) {
            var frame = Self.piece([], freed)
            frame.bytes = Bytes(Array(content[start..<min(count, start + piece)]), regions: 777)
            frame.sizes = Delivery(source: 1, made: frame.bytes.count)
            try sink.write(frame)
            pieces += 1
        }
        #expect(inner.wholeBlocks == count / Self.size)
        #expect(freed.valueAfterReleases == pieces)
        try sink.flush()
        #expect(inner.content == content)
        #expect(inner.sizes == Delivery(source: pieces, made: count))
    }

    @Test func `few blocks are there at once, and what does not fit keeps its memory`() async throws {
        let (blocks, early, late) = try await within {
            let (inner, freed) = (Collecting(), Count())
            let sink = BlockSink(inner)
            var early = 0
            let first = Locked<Lease?>(nil)
            // Three blocks are being written: what follows waits until the first one is.
            inner.onWrite = { inner in
                let blocks = inner.pieces.indices.filter { !inner.pieces[$0].bytes.isEmpty }
                if blocks.count == 1 { first.withLock { $0 = inner.pieces[blocks[0]].lease } }
                guard blocks.count == 3, early == 0 else { return }
                inner.free(blocks[0]..<blocks[0] + 1)
                early = freed.valueAfterReleases
                DispatchQueue(label: "test.written").asyncAfter(deadline: .now() + 0.02) { first.withLock { $0 = nil } }
            }
            for _ in 0..<4 { try sink.write(Self.piece([UInt8](repeating: 7, count: Self.size - 1), freed)) }
            try sink.flush()
            return (inner.pieces.map(\.bytes.count).filter { $0 > 0 }, early, freed.valueAfterReleases)
        }
        #expect(blocks == [Self.size, Self.size, Self.size, Self.size - 4])
        #expect(early == 3 && late == 4)
    }

    @Test func `what is gathered while nothing is written counts as arrived`() throws {
        let inner = Collecting()
        let sink = BlockSink(inner)
        try sink.write(Self.piece([1, 2, 3]))
        #expect(inner.sizes == Delivery(source: 1, made: 3))
        #expect(inner.content.isEmpty)
    }

    @Test func `a block is one region, at the beginning of a page`() throws {
        let inner = Collecting()
        let sink = BlockSink(inner)
        var piece = Self.piece([])
        piece.bytes = Bytes(sample(3 * Self.size), regions: 100_000)
        inner.onWrite = { $0.free($0.pieces.count - 1..<$0.pieces.count) }
        try sink.write(piece)
        for block in inner.pieces where !block.bytes.isEmpty {
            let address = try block.bytes.withOnlyRegion { $0.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }?
                .get()
            #expect(address.map { $0 % UInt(Sink.blockAlignment) } == 0)
        }
        #expect(inner.wholeBlocks == 3)
    }
}
