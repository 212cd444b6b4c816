import TestSupport
import Testing

@testable import StagedDecoding
@testable import ZstdCodec

/// Blocks that are decoded in two stages, and by libzstd.
@Suite(.timeLimit(.minutes(4)))
struct BlockBatchTests {
    /// The content of one frame, decoded in stages; nil if a block is refused.
    ///
    /// - Parameter part: bytes that come at a time.
    private static func staged(_ frame: [UInt8], part: Int) throws -> [UInt8]? {
        var scanner = FrameScanner()
        guard let scanned = try? scanner.scan(frame.span.bytes),
            let header = (scanned.ended ?? scanner.current)?.header, header.dictionaryIdentifier == 0
        else { return nil }
        var history = BlockHistory(header)
        var batch = try BlockBatch()
        let tables = try BlockTables()
        // The descriptions that a batch repeats are those of the one before, which is still there.
        var other = try BlockBatch()
        var content = [UInt8](repeating: 0, count: 2 << 20)
        var blocks = frame[header.size...]
        while !blocks.isEmpty {
            batch.begin(&history)
            var isFull = false
            while !isFull, !blocks.isEmpty {
                let count = min(part, blocks.count)
                let part = blocks.prefix(count)
                var rest = part.span.bytes
                isFull = batch.fill(&rest, &history)
                blocks = blocks.dropFirst(count - rest.byteCount)
            }
            batch.decode(with: tables)
            let start = Int(history.produced)
            guard isFull, start + BlockBatch.contentSize + BlockBatch.slack <= content.count else { return nil }
            let count = content.withUnsafeMutableBytes { content in
                batch.execute(&history, into: UnsafeMutableRawBufferPointer(rebasing: content[start...]))
            }
            guard let count else { return nil }
            if batch.hasLast {
                guard blocks.count == (header.hasChecksum ? 4 : 0) else { return nil }
                guard header.contentSize == nil || header.contentSize == history.produced else { return nil }
                return Array(content[..<(start + count)])
            }
            swap(&batch, &other)
        }
        return nil
    }

    /// Text-like, random, empty and repetitive content, of several blocks and batches.
    private static let contents: [[UInt8]] = [
        [], [7], sample(300), patchwork(131_072), patchwork(131_073, seed: 2), sample(700_000, seed: 3),
        patchwork(1_200_000, seed: 4), [UInt8](repeating: 9, count: 600_000),
        (0..<200_000).flatMap { Array("\($0 % 977)".utf8) },
        sample(200_000, seed: 5) + patchwork(300_000, seed: 6) + [UInt8](repeating: 0, count: 200_000),
    ]

    @Test(arguments: [1, 3, 9, 19], [1, 1000, 1 << 20])
    func `both stages make of a frame what was compressed`(level: Int, part: Int) throws {
        for content in Self.contents where part > 1 || content.count < 400_000 {
            // Byte for byte it takes long, and the checksum is behind all of them.
            for hasChecksum in part > 1 || isLong ? [true, false] : [true] {
                let frame = try frame(content, CompressionOptions(level: level, hasChecksum: hasChecksum))
                let isSame = try Self.staged(frame, part: part)?.isSame(as: content) == true
                #expect(isSame, "\(content.count) bytes")
            }
        }
    }

    /// Of one literal each; the format allows it.
    @Test func `four streams of fewer literals than six are left to libzstd`() throws {
        let header: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 0, 0x85, 0, 0, 0x46, 0, 3]
        let frame = header + [0x80, 0x10, 1, 0, 1, 0, 1, 0, 2, 2, 2, 2, 0]
        #expect(try Self.staged(frame, part: 1000) == nil)
        #expect(try decodedWithoutChecksum(frame) == nil)
    }

    /// A thread that was told of a batch may come when it was used and is filled again.
    @Test func `who comes before all blocks are there decodes none`() throws {
        let frame = try frame(patchwork(700_000))
        var scanner = FrameScanner()
        let header = try #require((try? scanner.scan(frame.span.bytes))?.ended?.header)
        var history = BlockHistory(header)
        var batch = try BlockBatch()
        let tables = try BlockTables()
        batch.begin(&history)
        for part in [0..<1000, 1000..<9000] {
            let bytes = frame[header.size...].dropFirst(part.lowerBound).prefix(part.count)
            var rest = bytes.span.bytes
            _ = batch.fill(&rest, &history)
            batch.decode(with: tables)
            let isDecoded = batch.isDecoded
            #expect(!isDecoded)
        }
        batch.finish()
        batch.decode(with: tables)
        let isDecoded = batch.isDecoded
        #expect(isDecoded)
    }

    @Test(arguments: 0..<10)
    func `what both stages accept of changed frames, libzstd accepts with the same content`(turn: Int) throws {
        var numbers = SeededNumbers(seed: UInt64(turn))
        let content = patchwork(40_000 + 60_000 * turn, seed: UInt64(turn))
        let whole = try frame(content, CompressionOptions(level: [1, 3, 6, 12][turn % 4]))
        var accepted = 0
        for _ in 0..<(isLong ? 1000 : 300) {
            var frame = whole
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                // The headers and descriptions are at the start.
                let end = Bool.random(using: &numbers) ? frame.count : min(frame.count, 300)
                frame[Int.random(in: 0..<end, using: &numbers)] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
            }
            guard let staged = try Self.staged(frame, part: 5000) else { continue }
            accepted += 1
            let isSame = try decodedWithoutChecksum(frame)?.isSame(as: staged) == true
            #expect(isSame)
        }
        #expect(accepted > 10)
    }
}
