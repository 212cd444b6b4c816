import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

@Suite(.timeLimit(.minutes(4)))
struct FrameCutterTests {
    /// What a chunk is made of: frames as a whole, or one frame in parts.
    enum Cut: Equatable, Sendable {
        case whole(bytes: [UInt8], bound: Int, offset: UInt64)
        case parts(bytes: [UInt8], offset: UInt64)

        var bytes: [UInt8] {
            switch self {
            case .whole(let bytes, _, _), .parts(let bytes, _): bytes
            }
        }
    }

    /// All the chunks of a file, and how the cutter ended.
    static func cut(_ input: [UInt8], frameLimit: UInt64 = 1 << 27) async throws -> (cuts: [Cut], failure: Failure?) {
        try await within {
            let file = try NamelessFile(input)
            let reader = try InputReader(Source(file.descriptor), latch: FailureLatch(), monitor: nil)
            defer { reader.close() }
            let room = ChunkCapacity(slots: Slots(1000), slotSize: frameLimit, mostHeld: frameLimit)
            var cutter = FrameCutter(reader, room: room, limits: DecodingLimits(windowSize: 1 << 27))
            // A chunk of segments is complete when the next one comes.
            var chunks: [(Chunk.Content, bound: Int, offset: UInt64)] = []
            var failure: Failure?
            do throws(Failure) {
                while let chunk = try cutter.next() { chunks.append((chunk.content, chunk.bound, chunk.offset)) }
            } catch {
                failure = error
            }
            return (try chunks.map(Self.collected), failure)
        }
    }

    private static func collected(_ content: Chunk.Content, bound: Int, offset: UInt64) throws(Failure) -> Cut {
        switch content {
        case .memory(let bytes):
            return .whole(bytes: bytes.elements, bound: bound, offset: offset)
        case .range, .buffered, .hole: preconditionFailure("a decompression has none")
        case .segments(let queue):
            var bytes: [UInt8] = []
            while let part = try? queue.next() { bytes += part.bytes.elements }
            return .parts(bytes: bytes, offset: offset)
        }
    }

    static let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]

    @Test func `small frames share a chunk, up to a mebibyte`() async throws {
        let frames = try (1...40).map { try frame(sample(100_000, seed: $0)) }
        let (cuts, failure) = try await Self.cut(frames.flatMap(\.self))
        #expect(failure == nil)
        #expect(cuts.flatMap(\.bytes).isSame(as: frames.flatMap(\.self)))
        guard case .whole(_, let bound, offset: 0) = cuts.first else {
            Issue.record("the first chunk is not whole frames")
            return
        }
        #expect((1 << 20..<(1 << 20) + 100_000).contains(bound))
        #expect((3...5).contains(cuts.count))
    }

    @Test(arguments: [0, 1, 5_000_000])
    func `a large skippable frame of a file is not read, and its end is found`(missing: Int) async throws {
        let one = try frame(sample(100))
        // As much as it may have, of which a file takes nothing.
        let size = UInt64(UInt32.max)
        let (cuts, failure, reads) = try await within {
            let file = try NamelessFile(one + [0x50, 0x2A, 0x4D, 0x18, 255, 255, 255, 255])
            if missing > 0 {
                try file.descriptor.resize(to: Int64(one.count) + 8 + Int64(size) - Int64(missing))
            } else {
                _ = try file.descriptor.writeAll(toAbsoluteOffset: Int64(one.count) + 8 + Int64(size), one)
            }
            let before = Locked(0)
            let monitor = Monitor([
                { span in
                    if span.stage == .read, span.bytes < 1 << 25 { before.withLock { $0 += span.bytes } }
                }
            ])
            let reader = try InputReader(Source(file.descriptor), latch: FailureLatch(), monitor: monitor)
            defer { reader.close() }
            var cutter = FrameCutter(
                reader, room: ChunkCapacity(slots: Slots(10)), limits: DecodingLimits(windowSize: 1 << 27))
            var (offsets, failure) = ([UInt64](), Failure?.none)
            do throws(Failure) {
                while let chunk = try cutter.next() { offsets.append(chunk.offset) }
            } catch {
                failure = error
            }
            return (offsets, failure, before.withLock { $0 })
        }
        let end = UInt64(one.count) + 8 + size
        #expect(cuts == (missing > 0 ? [0] : [0, end]))
        #expect(failure == (missing > 0 ? .codec(.truncated(offset: end - UInt64(missing))) : nil))
        #expect(reads < 4 << 20)
    }

    @Test(arguments: [1_200_000, 3_000_000])
    func `frames that a table lists, and that are no small ones, arrive in one region`(
        frameSize: Int
    ) async throws {
        let (regions, others, reads) = try await within {
            let input = try Job.compress(frameSize: frameSize).output(of: sample(12_000_000))
            let file = try NamelessFile(input)
            func regions(isListed: Bool) throws -> (counts: [Int], reads: Int) {
                let (source, reads) = (try Source(file.descriptor, isFresh: true), Locked(0))
                let monitor = Monitor([{ if $0.stage == .read { reads.withLock { $0 += 1 } } }])
                let reader = try InputReader(source, latch: FailureLatch(), monitor: monitor)
                defer { reader.close() }
                var cutter = FrameCutter(
                    reader, room: ChunkCapacity(slots: Slots(1000)), limits: DecodingLimits(windowSize: 1 << 27),
                    listed: isListed ? ListedContents(source) : nil)
                var counts: [Int] = []
                while let chunk = try cutter.next() {
                    var count = 0
                    chunk.bytes?.forEachRegion { _ in count += 1 }
                    counts.append(count)
                }
                return (counts, reads.withLock { $0 })
            }
            let (listed, other) = (try regions(isListed: true), try regions(isListed: false))
            return (listed.counts, other.counts, listed.reads)
        }
        #expect(regions.allSatisfy { $0 == 1 })
        #expect(others.contains { $0 > 1 })
        #expect(regions.count == others.count && reads <= 16)
    }

    @Test func `skippable frames are dropped, and offsets count them`() async throws {
        let one = try frame(sample(100))
        let (cuts, failure) = try await Self.cut(Self.skippable + one + Self.skippable + one + one + Self.skippable)
        #expect(failure == nil)
        #expect(
            cuts == [
                .whole(bytes: one, bound: 100, offset: 11),
                .whole(bytes: one + one, bound: 200, offset: UInt64(22 + one.count)),
            ])
    }

    @Test(arguments: [300_000, 3_000_000])
    func `a frame over the limit comes in parts, between its neighbours`(count: Int) async throws {
        let (one, large) = (try frame(sample(100)), try frame(sample(count)))
        let (cuts, failure) = try await Self.cut(one + large + one + large, frameLimit: 200_000)
        let size = UInt64(one.count + large.count)
        #expect(failure == nil)
        #expect(cuts.map(\.bytes.count) == [one.count, large.count, one.count, large.count])
        #expect(cuts[0] == .whole(bytes: one, bound: 100, offset: 0))
        #expect(cuts[1] == .parts(bytes: large, offset: UInt64(one.count)))
        #expect(cuts[2] == .whole(bytes: one, bound: 100, offset: size))
        #expect(cuts[3] == .parts(bytes: large, offset: size + UInt64(one.count)))
    }

    /// Four bytes for each 128 KiB: the whole frame is there before anybody has asked how large it becomes.
    @Test(arguments: [10, 100, 1000])
    func `a frame of a few bytes that become too many comes in parts too`(blocks: Int) async throws {
        let (one, large) = (try frame(sample(100)), repeatedFrame(blocks: blocks))
        let (cuts, failure) = try await Self.cut(one + large + one, frameLimit: 1 << 20)
        #expect(failure == nil)
        #expect(cuts[0] == .whole(bytes: one, bound: 100, offset: 0))
        #expect(cuts[1] == .parts(bytes: large, offset: UInt64(one.count)))
        #expect(cuts[2] == .whole(bytes: one, bound: 100, offset: UInt64(one.count + large.count)))
    }

    /// As a file reads that ends in zeros: blocks of no bytes, for ever.
    @Test func `a frame of empty blocks comes in parts, however many there are`() async throws {
        let header: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 0x58]
        // Those of a part that is read at once, and less than is held of a frame with content.
        let input = try frame(sample(100)) + header + [UInt8](repeating: 0, count: (1 << 20) - 300)
        let (cuts, failure) = try await Self.cut(input)
        #expect(cuts.count == 2)
        guard case .parts = cuts.last else {
            Issue.record("the frame did not come in parts")
            return
        }
        #expect(failure == .codec(.truncated(offset: UInt64(input.count))))
    }

    /// Whoever decodes it keeps to the window.
    @Test func `a frame with a narrow window comes as a whole, with its neighbours`() async throws {
        var narrow = repeatedFrame(blocks: 3)
        narrow[5] = 0
        let one = try frame(sample(100))
        let (cuts, _) = try await Self.cut(one + narrow + one)
        #expect(cuts == [.whole(bytes: one + narrow + one, bound: 200 + (3 << 17), offset: 0)])
    }

    @Test func `what came before a failure is handed on before it`() async throws {
        let one = try frame(sample(100))
        let (cuts, failure) = try await Self.cut(one + one + [1, 2, 3, 4])
        #expect(cuts == [.whole(bytes: one + one, bound: 200, offset: 0)])
        #expect(failure == .codec(.trailingBytes(offset: UInt64(2 * one.count))))
    }
}
