import StreamTestSupport
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// A frame may have millions of empty blocks, each of which costs libzstd as much as a small one with content.
@Suite(.timeLimit(.minutes(4)))
struct EmptyBlockTests {
    /// A frame of raw blocks, with runs of empty ones among them, and a checksum.
    private static func frame(_ numbers: inout SeededNumbers) throws -> (bytes: [UInt8], content: [UInt8]) {
        var (bytes, content): ([UInt8], [UInt8]) = ([0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x50], [])
        for _ in 0..<Int.random(in: 1...6, using: &numbers) {
            let piece = sample(Int.random(in: 1...300, using: &numbers), seed: numbers.next())
            let header = piece.count << 3
            bytes += [UInt8(header & 255), UInt8(header >> 8), 0] + piece
            bytes += [UInt8](repeating: 0, count: 3 * ([0, 1, 2, 30, 900].randomElement(using: &numbers) ?? 0))
            content += piece
        }
        let checksum = ContentChecksum.of(content.span.bytes)
        return (bytes + [1, 0, 0] + withUnsafeBytes(of: checksum.littleEndian) { Array($0) }, content)
    }

    @Test func `a frame has the same content with them, however it is cut`() throws {
        var numbers = SeededNumbers(seed: 3)
        for round in 0..<(isLong ? 5000 : 500) {
            let (bytes, content) = try Self.frame(&numbers)
            let piece = Int.random(in: 1...40, using: &numbers)
            let decoded = try Self.decode(bytes, piece: piece)
            #expect(decoded.isSame(as: content), "round \(round), pieces of \(piece)")
            // Without its end, wherever that is, it is truncated.
            let cut = Array(bytes.prefix(Int.random(in: 1..<bytes.count, using: &numbers)))
            #expect(throws: Failure.self, "round \(round), cut at \(cut.count)") {
                _ = try Self.decode(cut, piece: piece)
            }
        }
    }

    /// libzstd's streaming decoder accepts it.
    @Test func `a content size that is wrong is refused, however it comes, also where the last block is empty`() throws
    {
        var numbers = SeededNumbers(seed: 4)
        for round in 0..<(isLong ? 5000 : 500) {
            let (hasChecksum, isNarrow) = (round % 2 == 0, round % 3 == 0)
            let content = sample(Int.random(in: 0...3000, using: &numbers), seed: numbers.next())
            let wrong = [0, 1, -1, 44, -content.count].randomElement(using: &numbers) ?? 0
            let stated = max(0, content.count + wrong)
            var bytes: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, hasChecksum ? 0x84 : 0x80, isNarrow ? 0 : 0x50]
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: stated >> (8 * $0)) }
            for start in stride(from: 0, to: content.count, by: 1000) {
                let piece = content[start..<min(start + 1000, content.count)]
                bytes += [UInt8(piece.count << 3 & 255), UInt8(piece.count >> 5), 0] + piece
            }
            bytes += [1, 0, 0]
            let checksum = ContentChecksum.of(content.span.bytes).littleEndian
            if hasChecksum { bytes += withUnsafeBytes(of: checksum) { Array($0) } }
            let piece = Int.random(in: 1...2000, using: &numbers)
            let job = Job.decompress(threads: 1)
            let ways = [try? Self.decode(bytes, piece: piece), try? job.output(of: bytes)]
            let wanted = stated == content.count ? content : nil
            #expect(ways == [wanted, wanted], "round \(round), pieces of \(piece)")
        }
    }

    /// The content of a frame that comes in pieces.
    private static func decode(_ bytes: [UInt8], piece: Int) throws -> [UInt8] {
        var decoder = try SegmentDecoder(limits: Decompression().limits)
        try decoder.begin()
        let room = try OutputBuffer(capacity: 100)
        var content: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            let part = Array(bytes[start..<min(bytes.count, start + piece)])
            var rest = part.span.bytes
            var isDone = false
            while !isDone {
                let step = try decoder.step(&rest, into: room.memory, isLast: start + piece >= bytes.count)
                content += room.memory[..<step.written]
                isDone = step.isDone
            }
        }
        return content
    }

    @Test func `libzstd sees none of many`() throws {
        var scanner = FrameScanner()
        let (start, zeros) = ([UInt8]([0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x50]), [UInt8](repeating: 0, count: 1_000_001))
        let bytes = zeros.span.bytes
        _ = try scanner.scan(start.span.bytes)
        let first = scanner.skipEmptyBlocks(bytes)
        // The rest is the start of a header.
        let rest = try scanner.scan(bytes.extracting(first...)).scanned
        let (missing, none) = (scanner.restOfBlockHeader, scanner.skipEmptyBlocks(bytes))
        _ = try scanner.scan(bytes.extracting(..<1))
        let second = scanner.skipEmptyBlocks(bytes)
        #expect(first == 999_999 && rest == 2 && missing == 1 && none == 0 && second == 999_999)
        #expect(scanner.offset == 6 + 2 * 999_999 + 3)
        #expect(scanner.current?.overhead == 2 * 999_999 + 3)
    }
}
