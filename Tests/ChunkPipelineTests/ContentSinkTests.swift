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
        private let state = Mutex((frames: [ChunkResult](), hasFlushed: false, hasEnded: false))

        var frames: [ChunkResult] { state.withLock { $0.frames } }
        /// What was written, with zeros for holes.
        var content: [UInt8] {
            frames.flatMap { [UInt8](repeating: 0, count: Int($0.gapBefore)) + $0.bytes.elements }
        }
        var wholeBlocks: Int { frames.count { $0.bytes.count == Sink.blockSize } }
        var sizes: Delivery {
            frames.reduce(into: Delivery()) { $0 += Delivery(source: $1.sourceSize, made: $1.madeSize) }
        }
        var hasFlushed: Bool { state.withLock { $0.hasFlushed } }
        var hasEnded: Bool { state.withLock { $0.hasEnded } }

        func write(_ frame: consuming ChunkResult) {
            let frame = frame
            state.withLock { $0.frames.append(frame) }
        }

        func advance() {}
        func flush() { state.withLock { $0.hasFlushed = true } }
        func end() { state.withLock { $0.hasEnded = true } }

        /// Lets the memory of the frames go.
        func free(_ range: Range<Int>) {
            state.withLock { for position in range { $0.frames[position].lease = nil } }
        }

        /// Lets a whole block go.
        func freeBlock(_ number: Int) {
            let blocks = frames.indices.filter { frames[$0].bytes.count == Sink.blockSize }
            free(blocks[number]..<blocks[number] + 1)
        }
    }

    private static func frame(_ bytes: [UInt8], holes: [Range<Int>] = [], _ freed: Count = Count()) -> ChunkResult {
        var frame = ChunkResult(bytes: Bytes(bytes), sourceSize: 1, lease: Lease { freed.add(1) })
        (frame.holes, frame.madeSize) = (holes, bytes.count)
        return frame
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
        var frame = Self.frame(zeros, holes: holes, freed)
        frame.gapBefore = 2
        try sink.write(frame)
        #expect(inner.content == [0, 0] + zeros)
        #expect(inner.frames.allSatisfy { !$0.bytes.elements.contains(0) })
        #expect(inner.sizes == Delivery(source: 1, made: 5))
        let data = inner.frames.indices.filter { !inner.frames[$0].bytes.isEmpty }
        #expect(data.dropLast().filter { !inner.frames[$0].isContinued }.isEmpty)
        frame.lease = nil
        for position in data.dropLast() { inner.free(position..<position + 1) }
        #expect(freed.valueAfterReleases == 0)
        inner.free(0..<inner.frames.count)
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
        for part in [content[..<2], content[2..<5], content[5...]] { try sink.write(Self.frame(Array(part), freed)) }
        try sink.flush()
        #expect(inner.frames.reduce(0) { $0 + Int($1.gapBefore) } == same)
        #expect(inner.frames.flatMap { $0.bytes.elements } == Array(content[same...]))
        #expect(inner.sizes == Delivery(source: 3, made: 8))
        #expect(inner.hasFlushed)
        #expect(try file.content == Array(content[..<same]))
    }

    @Test func `of another source nothing is written, and the memory goes`() throws {
        let file = try NamelessFile([1, 2, 9])
        let freed = Count()
        let sink = ResumingSink(Collecting(), ResumeComparison(file.descriptor, replacesOthers: false))
        #expect(throws: Failure.otherSource(offset: 2)) {
            try sink.write(Self.frame([1, 2, 3], freed))
        }
        #expect(freed.valueAfterReleases == 1)
    }

    // MARK: Blocks

    private static let size = Sink.blockSize

    @Test(arguments: [0, 1, size - 1, size, size + 1, 3 * size + 5], [1000, size / 2, size, 4 * size])
    func `blocks and rest are what was written, in order`(count: Int, piece: Int) throws {
        let (inner, freed, content) = (Collecting(), Count(), sample(count))
        let sink = BlockSink(inner) {}
        var (pieces, done) = (0, 0)
        for start in stride(from: 0, to: count, by: piece) {
            var frame = Self.frame([], freed)
            frame.bytes = Bytes(Array(content[start..<min(count, start + piece)]), regions: 777)
            frame.madeSize = frame.bytes.count
            try sink.write(frame)
            pieces += 1
            // Blocks are written at once.
            while inner.wholeBlocks > done {
                inner.freeBlock(done)
                _ = freed.valueAfterReleases
                done += 1
                try sink.advance()
            }
        }
        #expect(inner.wholeBlocks == count / Self.size)
        #expect(freed.valueAfterReleases == pieces)
        try sink.flush()
        #expect(inner.content == content)
        #expect(inner.sizes == Delivery(source: pieces, made: count))
    }

    @Test func `few blocks are written at once, and what does not fit keeps its memory`() throws {
        let (inner, freed, again) = (Collecting(), Count(), Count())
        let sink = BlockSink(inner) { again.add(1) }
        for _ in 0..<4 { try sink.write(Self.frame([UInt8](repeating: 7, count: Self.size - 1), freed)) }
        #expect(inner.wholeBlocks == 2)
        // The third block is full too, and waits.
        #expect(freed.valueAfterReleases == 3)
        inner.freeBlock(0)
        #expect(again.valueAfterReleases == 1)
        try sink.advance()
        #expect(inner.wholeBlocks == 3)
        #expect(freed.valueAfterReleases == 4)
        try sink.flush()
        #expect(inner.frames.last?.bytes.count == Self.size - 4)
    }

    @Test func `what is gathered while nothing is written counts as arrived`() throws {
        let inner = Collecting()
        let sink = BlockSink(inner) {}
        try sink.write(Self.frame([1, 2, 3]))
        #expect(inner.sizes == Delivery(source: 1, made: 3))
        #expect(inner.content.isEmpty)
    }

    @Test func `a block is one region, at the beginning of a page`() throws {
        let inner = Collecting()
        let sink = BlockSink(inner) {}
        var frame = Self.frame([])
        frame.bytes = Bytes(sample(3 * Self.size), regions: 100_000)
        try sink.write(frame)
        for block in inner.frames where !block.bytes.isEmpty {
            let address = try block.bytes.withOnlyRegion { $0.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }?
                .get()
            #expect(address.map { $0 % UInt(Sink.blockAlignment) } == 0)
        }
        #expect(inner.wholeBlocks == 2)
    }
}
