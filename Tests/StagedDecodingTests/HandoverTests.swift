import TestSupport
import Testing

@testable import StagedDecoding
@testable import ZstdCodec

/// libzstd goes on behind any block that was decoded in stages.
@Suite(.timeLimit(.minutes(4)))
struct HandoverTests {
    /// Decodes the first blocks of a frame in stages, and the others by libzstd.
    ///
    /// - Parameter count: of the blocks that are decoded in stages.
    /// - Returns: the content; nil if anything is refused.
    private static func content(_ frame: [UInt8], leftBehind count: Int) throws -> [UInt8]? {
        let parsed = FrameHeader(ofFrame: frame.span.bytes)
        let header = try #require(parsed)
        var history = BlockHistory(header)
        let tables = try BlockTables()
        var batch = try BlockBatch()
        var other = try BlockBatch()
        var codes: [UInt8] = []
        var content = [UInt8](repeating: 0, count: 4 << 20)
        var rest = frame[header.size...]
        batch.begin(&history)
        for _ in 0..<count {
            rest = rest.dropFirst(fill(&batch, rest.prefix(blockSize(rest)), &history))
            batch.finish(before: &other, &history)
            batch.decode(with: tables)
            let start = Int(history.produced)
            let written = content.withUnsafeMutableBytes { content in
                batch.isEmpty ? 0 : batch.execute(&history, into: .init(rebasing: content[start...]))
            }
            if written == nil { return nil }
            if batch.hasCodes { codes = batch.restoringCodes }
            swap(&batch, &other)
        }
        guard let blocks = batch.restoringBlocks(history) else { return nil }
        return try content.withUnsafeMutableBytes { content in
            try (history.isFirstLap ? frame : Array(rest)).withUnsafeBytes { rest in
                let start = Int(history.produced)
                let past = UnsafeRawBufferPointer(rebasing: content[..<start])
                var decompressor = try Decompressor(verifiesChecksums: false)
                let output = UnsafeMutableRawBufferPointer(rebasing: content[start...])
                var bytes = rest.bytes
                try decompressor.begin()
                if history.isFirstLap {
                    try decompressor.skip(history.produced, of: &bytes, scratch: output, offset: 0)
                } else {
                    try decompressor.restore(
                        header, after: past, at: history.ring, restoring: codes + blocks, scratch: output, offset: 0)
                }
                let written = try decompressor.stream(&bytes, into: output, offset: 0).written
                return decompressor.hasEnded && bytes.isEmpty ? Array(content[..<(start + written)]) : nil
            }
        }
    }

    private static func fill(_ batch: inout BlockBatch, _ block: ArraySlice<UInt8>, _ history: inout BlockHistory)
        -> Int
    {
        var rest = block.span.bytes
        _ = batch.fill(&rest, &history)
        return block.count - rest.byteCount
    }

    /// Bytes of a block, with its header.
    private static func blockSize(_ bytes: ArraySlice<UInt8>) -> Int {
        let header = bytes.prefix(3).reversed().reduce(0) { $0 << 8 | Int($1) }
        return 3 + (header >> 1 & 3 == 1 ? 1 : header >> 3)
    }

    private static func blockCount(_ frame: [UInt8]) throws -> Int {
        let header = FrameHeader(ofFrame: frame.span.bytes)
        var rest = frame[try #require(header).size...]
        var (count, isLast) = (0, false)
        while !isLast {
            isLast = rest.first.map { $0 & 1 } == 1
            rest = rest.dropFirst(blockSize(rest))
            count += 1
        }
        return count
    }

    /// Content whose blocks repeat tables and codes, have tables of one state, raw literals, or no matches.
    static let contents: [[UInt8]] = [
        patchwork(1_200_000), sample(700_000, seed: 3), [UInt8](repeating: 9, count: 600_000),
        (0..<200_000).flatMap { Array("\($0 % 977)".utf8) },
        (0..<60_000).flatMap { [UInt8(truncatingIfNeeded: $0), 1, 2, 3, UInt8(truncatingIfNeeded: $0 >> 8), 4, 5, 6] },
        sample(200_000, seed: 5) + patchwork(300_000, seed: 6) + [UInt8](repeating: 0, count: 200_000),
        sample(5) + [UInt8](repeating: 7, count: 300) + patchwork(200_000, seed: 8),
        (0..<12).flatMap { seed in patchwork(50_000, seed: 11) + sample(1000, seed: UInt64(seed)) },
    ]

    @Test(arguments: contents.indices, [1, 3, 9, 19])
    func `libzstd goes on between any two blocks`(index: Int, level: Int) throws {
        let content = Self.contents[index]
        for window in [nil, 10, 15, 17, 18] {
            var options = CompressionOptions(level: level)
            options.parameters[.windowLog] = window
            let frame = try frame(content, options)
            let blocks = try Self.blockCount(frame)
            // Where they are many, one of the first and then some of the others.
            let step = window == nil ? (isLong ? 1 : 3) : max(1, blocks / (isLong ? 20 : 7))
            for count in stride(from: isLong ? 0 : level % step, through: blocks - 1, by: step) {
                let isSame = try Self.content(frame, leftBehind: count)?.isSame(as: content) == true
                #expect(isSame, "behind \(count) of \(blocks) blocks, window \(window ?? 0)")
            }
        }
    }
}
