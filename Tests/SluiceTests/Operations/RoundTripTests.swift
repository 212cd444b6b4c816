import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

@Suite(.timeLimit(.minutes(4)))
struct RoundTripTests {
    static let frameSize = 1 << 16

    @Test(arguments: [-5, 1, 3, 19], [0, 1, 2, 65_535, 65_536, 65_537, 131_072, 500_000])
    func `what was compressed comes back`(level: Int, count: Int) async throws {
        let content = sample(count)
        let (compressed, returned) = try await within {
            let compressed = try Job.compress(level: level).outcome(of: content)
            return (compressed, try Job.decompress().outcome(of: compressed.bytes))
        }
        #expect(compressed.failure == nil)
        #expect(returned.failure == nil)
        #expect(returned.bytes.isSame(as: content))
        for summary in [compressed.summary, returned.summary] { #expect(summary?.contentSize == count) }
        #expect(compressed.summary?.bytesIn == count)
        #expect(compressed.summary?.bytesOut == compressed.bytes.count)
        #expect(returned.summary?.bytesIn == compressed.bytes.count)
        #expect(returned.summary?.bytesOut == count)
    }

    @Test(arguments: [1024, 5000, 1 << 16, 1 << 20, 1 << 22], [true, false])
    func `frames of any size come back, with and without checksums`(frameSize: Int, hasChecksum: Bool) async throws {
        let content = sample((1 << 21) + 12_345)
        let returned = try await within {
            let compression = Compression(.init(level: 1, frameSize: frameSize, hasChecksum: hasChecksum))
            return try Job.decompress().output(of: try Job(compression, threads: 2).output(of: content))
        }
        #expect(returned.isSame(as: content))
    }

    @Test(arguments: [0, 1, 1 << 20, (1 << 20) + 1, 6_000_000], [true, false])
    func `one frame comes back, whether its size is known or not`(count: Int, isKnown: Bool) async throws {
        let content = sample(count)
        let (compressed, returned) = try await within {
            let operation = SingleFrame(.init(level: 1), contentSize: isKnown ? UInt64(count) : nil)
            let compressed = try Job(operation, threads: 2).output(of: content)
            return (compressed, try Job.decompress().output(of: compressed))
        }
        #expect(returned.isSame(as: content))
        let frames = try frames(of: compressed)
        #expect(frames.count == 1)
        // No content is known when the frame begins.
        #expect(frames[0].header?.contentSize == (isKnown || count == 0 ? UInt64(count) : nil))
    }

    @Test(arguments: [(0, nil), (99_999, nil), (100_001, 100_000)] as [(UInt64, UInt64?)])
    func `a size that was announced wrongly is refused`(announced: UInt64, actual: UInt64?) async throws {
        let outcome = try await within {
            try Job(SingleFrame(.init(level: 1), contentSize: announced)).outcome(of: sample(100_000))
        }
        #expect(outcome.failure == .codec(.contentSizeMismatch(announced: announced, actual: actual)))
    }

    @Test(arguments: [0, 1, 65_536])
    func `content of one frame is that frame and nothing else`(count: Int) async throws {
        let content = sample(count)
        let compressed = try await within { try Job.compress().output(of: content) }
        #expect(compressed == (try frame(content)))
    }

    /// docs/format.md: the header after the first frame, the table at the end, and every frame in it.
    @Test(arguments: [65_537, 131_072, 131_073, 400_000])
    func `content of several frames has a header and a true table`(count: Int) async throws {
        let compressed = try await within { try Job.compress().output(of: sample(count)) }
        let frames = try frames(of: compressed)
        let contents = frames.compactMap { $0.header?.contentSize }
        #expect(contents == Self.sizes(count))
        #expect(frames[1].annotation == .streamHeader(StreamHeader(frameSize: 1 << 16, level: 1)))
        let offsets = frames.map { Int($0.offset) }
        let end = compressed[(offsets.last ?? 0)...]
        let parsed = SeekTable(end.span.bytes)
        let table = try #require(parsed)
        for (index, entry) in table.entries.enumerated() {
            let frame = frames[index]
            let end = compressed[..<offsets[index + 1]]
            #expect(UInt64(entry.compressedSize) == frame.compressedSize)
            #expect(UInt64(entry.decompressedSize) == frame.header?.contentSize ?? 0)
            let checksum = end.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            #expect(entry.checksum == (frame.isSkippable ? SeekTable.checksumOfNothing : checksum))
        }
        #expect(table.entries.count == frames.count - 1)
    }

    private static func sizes(_ count: Int) -> [UInt64] {
        stride(from: 0, to: count, by: frameSize).map { UInt64(min(frameSize, count - $0)) }
    }

    private func frames(of bytes: [UInt8]) throws -> [FrameScanner.Frame] {
        var scanner = FrameScanner()
        var frames: [FrameScanner.Frame] = []
        var rest = bytes.span.bytes
        while !rest.isEmpty {
            let (scanned, ended) = try scanner.scan(rest)
            rest = rest.extracting(scanned...)
            if let ended { frames.append(ended) }
        }
        try scanner.finish()
        return frames
    }
}
