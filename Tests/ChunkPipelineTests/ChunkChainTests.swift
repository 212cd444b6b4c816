import Dispatch
import Glibc
import StreamTestSupport
import SystemPackage
import Testing

@testable import ByteStreams
@testable import ChunkPipeline

/// Chunks that end where they claim to, or go on.
@Suite(.timeLimit(.minutes(4)))
struct ChunkChainTests {
    /// `scripts/campaign runs` asks for more of them, from another seed on.
    private static let count = getenv("SLUICE_RUNS").flatMap { Int(String(cString: $0)) } ?? 300
    private static let seed = getenv("SLUICE_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1

    /// Parts of the content, in which each byte is turned by its distance from the start of the part. Chunks may begin
    /// where no part does: what is made of them is wrong.
    private struct Parts {
        let ends: Set<Int>

        func turn(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ distance: inout Int) -> [UInt8] {
            bytes.enumerated().map { position, byte in
                if ends.contains(offset + position) { distance = 0 }
                defer { distance += 1 }
                return byte &+ UInt8(truncatingIfNeeded: distance)
            }
        }
    }

    /// Cuts chunks that claim to end at these places. Those of some come in segments.
    private struct Cutter: ChunkCutter {
        let reader: InputReader
        let (slots, chain): (Slots, ChunkChain)
        let inSegments: Set<Int>
        var claims: ArraySlice<Int>
        private var offset = 0
        private var feed: (segments: SegmentQueue, end: Int)?
        private var isEnded = false

        init(_ reader: InputReader, _ slots: Slots, _ chain: ChunkChain, _ claims: [Int], inSegments: Set<Int>) {
            (self.reader, self.slots, self.chain, self.inSegments) = (reader, slots, chain, inSegments)
            self.claims = claims[...]
        }

        mutating func next() throws(Failure) -> Chunk? {
            do throws(Failure) {
                if let chunk = try cut() { return chunk }
                chain.inputDidEnd()
                return nil
            } catch {
                chain.inputDidEnd(because: error)
                throw error
            }
        }

        private mutating func cut() throws(Failure) -> Chunk? {
            try finishFeed()
            if isEnded { return nil }
            let end = claims.popFirst() ?? .max
            if chain.rest == nil, end != .max, !inSegments.contains(end) {
                guard let bytes = try reader.read(end - offset) else { return nil }
                let segments = SegmentQueue(nil)
                try segments.push(bytes)
                segments.close()
                return chunk(segments, bytes, count: bytes.count)
            }
            chain.waitForEnds()
            if let rest = chain.rest {
                feed = (rest, .max)
                try finishFeed()
                return nil
            }
            let segments = SegmentQueue(slots)
            feed = (segments, end)
            return chunk(segments, Bytes(), count: 0)
        }

        private mutating func chunk(_ segments: SegmentQueue, _ bytes: Bytes, count: Int) -> Chunk {
            var chunk = Chunk(.segments(segments), at: UInt64(offset))
            chunk.chain = (chain, bytes)
            offset += count
            return chunk
        }

        private mutating func finishFeed() throws(Failure) {
            guard let (segments, end) = feed else { return }
            feed = nil
            try segments.fill { () throws(Failure) in
                let bytes = end > offset ? try reader.read(min(500, end - offset)) : Bytes()
                guard let bytes, !bytes.isEmpty else {
                    isEnded = bytes == nil
                    return nil
                }
                offset += bytes.count
                return bytes
            }
        }

        func cancel() {
            feed?.segments.fail(.cancelled)
            chain.inputDidEnd(because: .cancelled)
        }
    }

    private struct Turning: Transform, ~Copyable {
        let parts: Parts
        let failing: Int?
        let pause: @Sendable () -> Void
        private var (offset, distance) = (0, 0)

        init(_ parts: Parts, failing: Int?, pause: @escaping @Sendable () -> Void) {
            (self.parts, self.failing, self.pause) = (parts, failing, pause)
        }

        var mayEnd: Bool { parts.ends.contains(offset) }

        mutating func apply(_ chunk: consuming Chunk, with _: inout GatherBuffer) throws(Failure) -> ChunkResult {
            throw .cancelled
        }

        mutating func apply(_ segment: Segment, to output: inout SegmentOutput) throws(Failure) {
            switch segment {
            case .start(let offset, _): (self.offset, distance) = (Int(offset), 0)
            case .bytes(let bytes):
                pause()
                let made = parts.turn(bytes, at: offset, &distance)
                offset += bytes.count
                if let failing, (offset - bytes.count..<offset).contains(failing) { throw .outOfMemory }
                for start in stride(from: 0, to: made.count, by: 300) {
                    let room = try output.room()
                    let part = made[start..<min(start + 300, made.count)]
                    room.memory.copyBytes(from: part)
                    try output.handOn(room, count: part.count, from: part.count)
                }
            case .pause: break
            // Where the input ends.
            case .end: if !mayEnd { throw .sourceShrank(expected: 0, read: UInt64(offset)) }
            }
        }
    }

    private enum Trouble: CaseIterable { case none, cut, read, chunk, write, silentSource, cancellation }

    @Test func `a run ends in time with the right bytes or a prefix, and all memory comes back`() async throws {
        for number in 0..<Self.count {
            try await within { try Self.run(Self.seed &+ UInt64(number)) }
        }
    }

    private static func run(_ seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        var places = (0..<Int.random(in: 1..<40, using: &numbers)).map { _ in Int.random(in: 1..<600, using: &numbers) }
        for index in places.indices.dropFirst() { places[index] += places[index - 1] }
        let content = sample(places[places.count - 1], seed: seed)
        let falseShare = Int.random(in: 1..<12, using: &numbers)
        let ends = Set(places.dropLast().filter { _ in Int.random(in: 0..<falseShare, using: &numbers) > 0 })
        let segmented = Set(places.filter { _ in Int.random(in: 0..<15, using: &numbers) == 0 })
        let trouble = Trouble.allCases.randomElement(using: &numbers) ?? .none
        let place = Int.random(in: 0..<30, using: &numbers)
        let delays = Locked(SeededNumbers(seed: seed &+ 1))
        let pause = { @Sendable in
            let delay = delays.withLock { numbers in UInt32.random(in: 0..<2000, using: &numbers) }
            if delay < 300 { usleep(delay) }
        }
        var events: [Int: ScriptedSource.Event] = [:]
        if trouble == .read { events[place] = .failure(.reading(.ioError)) }
        if trouble == .silentSource { events[place] = .silence }
        let parts = Parts(ends: trouble == .cut ? ends : ends.union([content.count]))
        let source = ScriptedSource(
            content, piece: Int.random(in: 1...3000, using: &numbers), events: events, pause: pause)
        let sink = ScriptedSink(failing: trouble == .write ? (place, .noSpace) : nil, pause: pause)
        let latch = FailureLatch()
        let count = Int.random(in: 3...6, using: &numbers)
        let level = Int.random(in: 0..<3, using: &numbers) == 0 ? Int.random(in: 1...count, using: &numbers) : 0
        let order = FrameOrder(holdBack: HoldBack(until: level))
        let hasSink = Int.random(in: 0..<5, using: &numbers) > 0
        let writer = FrameWriter(hasSink ? Sink(sink) : nil, order: order, latch: latch, monitor: nil)
        let slots = Slots(count) { [order = writer.order] change in order.change { $0.slotsDidChange(by: change) } }
        let chain = ChunkChain(slots)
        latch.onFailure { chain.cancel() }
        let reader = try InputReader(Source(source), latch: latch, monitor: nil)
        var cutter = Cutter(reader, slots, chain, places, inSegments: segmented)
        let workers = Int.random(in: 1...5, using: &numbers)
        let failing = trouble == .chunk ? place * content.count / 30 : nil
        let pipeline = Pipeline(
            workers: workers, slots: slots, writer: writer, latch: latch, monitor: nil, workerPool: nil
        ) { Turning(parts, failing: failing, pause: pause) }
        let (isOver, cancelled) = (Locked(false), DispatchGroup())
        let delay = UInt32.random(in: 0..<10_000, using: &numbers)
        if trouble == .cancellation || trouble == .silentSource {
            DispatchQueue(label: "test.cancel").async(group: cancelled) {
                while trouble == .silentSource, !source.isWaiting, !isOver.withLock({ $0 }) { usleep(200) }
                usleep(delay)
                latch.fail(.cancelled)
            }
        }
        let outcome = Result { () throws(Failure) in try pipeline.run(&cutter) }
        isOver.withLock { $0 = true }
        cancelled.wait()
        reader.close()
        writer.close()
        var distance = 0
        let wanted = content.withUnsafeBytes { parts.turn($0, at: 0, &distance) }
        let isWhole = sink.bytes.count == wanted.count || !hasSink
        #expect(sink.bytes.isPrefix(of: wanted), "seed \(seed): the bytes")
        switch outcome {
        case .success: #expect(isWhole && trouble != .cut, "seed \(seed)")
        case .failure(let failure):
            let expected: [Trouble: Failure] = [
                .read: .reading(.ioError), .chunk: .outOfMemory, .write: .writing(.noSpace),
                .cut: .sourceShrank(expected: 0, read: UInt64(content.count)),
                .silentSource: .cancelled, .cancellation: .cancelled,
            ]
            #expect(failure == expected[trouble], "seed \(seed): \(failure)")
            if trouble == .cut { #expect(isWhole, "seed \(seed)") }
        }
        #expect(eventually { slots.inUse == 0 }, "seed \(seed): slots")
    }
}
