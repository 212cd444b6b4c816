import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Whoever makes the checksum of a frame that comes in parts, the same bytes come out, and the same failure.
@Suite(.timeLimit(.minutes(4)))
struct FrameChecksumTests {
    private static let pieceSize = 1 << 16
    private static let wrongChecksum = Failure.codec(
        .corrupt(reason: "its checksum does not match its content", offset: 0))

    /// What came out of a decoder, and in which pieces, until the input ended or something was wrong.
    private struct Decoded: Equatable {
        var content: [UInt8] = []
        var pieces: [Int] = []
        var failure: Failure?

        static func == (one: Self, other: Self) -> Bool {
            one.pieces == other.pieces && one.failure == other.failure && one.content.isSame(as: other.content)
        }
    }

    /// Decodes frames from parts of this size, by whoever makes the checksums.
    ///
    /// - Parameter spoiled: the byte of the content that changes before it is handed on.
    private static func decode(
        _ frames: [UInt8], parts: Int, checksum: FrameChecksum?, verifies: Bool = true, spoiled: Int? = nil
    ) throws -> Decoded {
        var limits = DecodingLimits(windowSize: UInt64(Decompression.defaultWindowLimit))
        limits.verifiesChecksums = verifies
        var decoder = try SegmentDecoder(limits: limits, checksum: checksum)
        try decoder.begin()
        var decoded = Decoded()
        do throws(Failure) {
            for start in stride(from: 0, through: frames.count, by: parts) {
                let part = Bytes(Array(frames[start..<min(start + parts, frames.count)]))
                let isLast = start + parts > frames.count
                if part.isEmpty {
                    try step(RawSpan(), isLast, &decoder, &decoded, spoiled)
                }
                try part.forEachRegion { region throws(Failure) in
                    try step(region, isLast, &decoder, &decoded, spoiled)
                }
            }
        } catch {
            decoded.failure = error
        }
        return decoded
    }

    private static func step(
        _ part: RawSpan, _ isLast: Bool, _ decoder: inout SegmentDecoder, _ decoded: inout Decoded,
        _ spoiled: Int?
    ) throws(Failure) {
        var rest = part
        var isDone = false
        while !isDone {
            let output = try OutputBuffer(capacity: pieceSize)
            let written: Int
            (written, isDone) = try decoder.step(&rest, into: output.memory, isLast: isLast)
            if let spoiled, (0..<written).contains(spoiled - decoded.content.count) {
                // Not `^=`, for which Swift 6.3 makes code that it refuses itself, with the thread sanitizer.
                let place = spoiled - decoded.content.count
                output.memory[place] = output.memory[place] ^ 1
            }
            guard written > 0 else { continue }
            let piece = output.finish(count: written)
            decoder.handOn(piece) {}
            decoded.content += piece.elements
            decoded.pieces.append(written)
        }
    }

    /// Sizes of content around that of a piece and that of a block.
    static let sizes = [0, 1, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 196_608, 300_000]

    @Test(arguments: sizes, [1000, 1 << 20])
    func `damaged frames have the pieces and the failure that libzstd gives them`(size: Int, parts: Int) async throws {
        let different = try await within {
            let content = sample(size)
            let checksum = try FrameChecksum()
            var numbers = SeededNumbers(seed: UInt64(size + parts))
            return try Self.damaged(content, &numbers).filter { frames in
                let own = try Self.decode(frames, parts: parts, checksum: checksum)
                return try own != Self.decode(frames, parts: parts, checksum: nil)
            }
        }
        #expect(different.count == 0)
    }

    /// Frames of which the checksum is wrong, that have another bit, are two, or have nothing wrong.
    private static func damaged(_ content: [UInt8], _ numbers: inout SeededNumbers) throws -> [[UInt8]] {
        let whole = try frame(content)
        let unchecked = try frame(content, CompressionOptions(level: 1, hasChecksum: false))
        var all = [whole, unchecked, whole + unchecked + whole]
        for place in whole.count - 4..<whole.count {
            for bits: UInt8 in [0x01, 0x80] {
                var frames = whole
                frames[place] ^= bits
                all += [frames, whole + frames, frames + whole]
            }
        }
        for _ in 0..<20 {
            var frames = whole
            frames[Int.random(in: 0..<whole.count, using: &numbers)] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
            all.append(frames)
        }
        return all
    }

    @Test(arguments: [0, 65_535, 65_536, 199_999])
    func `the checksum is that of the bytes which are handed on`(place: Int) async throws {
        let failures = try await within {
            let frame = try frame(sample(200_000))
            let (checksum, decode) = (try FrameChecksum(), Self.decode)
            return [
                try decode(frame, 1000, checksum, true, place).failure,
                try decode(frame, 1000, checksum, true, nil).failure,
            ]
        }
        // What leaves behind the end of the frame was compared before.
        let isCompared = place >= 196_608
        #expect(failures == [isCompared ? nil : Self.wrongChecksum, nil])
    }

    @Test func `a wrong checksum that nobody asks for is no failure`() async throws {
        let (content, decoded) = try await within {
            let content = sample(200_000)
            var frame = try frame(content)
            frame[frame.count - 1] ^= 1
            return (content, try Self.decode(frame, parts: 1000, checksum: try FrameChecksum(), verifies: false))
        }
        #expect(decoded.failure == nil)
        #expect(decoded.content.isSame(as: content))
    }

    /// Through the whole of a run, whose first frame comes in parts.
    @Test(arguments: [1, 3], [(1 << 20) - 1, 1 << 20, (3 << 20) + 5])
    func `a run with a wrong checksum fails before the last piece leaves`(threads: Int, size: Int) async throws {
        let (good, bad, piped, content) = try await within {
            var operation = Decompression()
            operation.room.slotSize = 1 << 16
            let (job, content) = (Job(operation, threads: threads), sample(size))
            let whole = try frame(content)
            var wrong = whole
            wrong[wrong.count - 2] ^= 4
            return (
                try job.outcome(of: whole), try job.outcome(of: wrong),
                try job.outcomeThroughPipes(of: wrong, pieces: [50_000, 3]), content
            )
        }
        #expect(good.failure == nil)
        #expect(good.bytes.isSame(as: content))
        for outcome in [bad, piped] {
            #expect(outcome.failure == Self.wrongChecksum)
            #expect(outcome.bytes.isPrefix(of: content))
        }
        #expect(bad.bytes.count < size)
    }

    /// The failure is known while pieces are still on their way.
    @Test(arguments: 0..<8)
    func `what was decoded before a cut leaves, and the failure behind it`(turn: Int) async throws {
        let (outcome, cut, content) = try await within {
            var operation = Decompression()
            operation.room.slotSize = 1 << 16
            let content = sample((4 << 20) + turn)
            let whole = try frame(content)
            let cut = whole.count / 8 * 7 + turn
            return (try Job(operation).outcome(of: Array(whole[..<cut])), cut, content)
        }
        #expect(outcome.failure == .codec(.truncated(offset: UInt64(cut))))
        #expect(outcome.bytes.isPrefix(of: content))
        #expect(outcome.bytes.count > content.count / 4 * 3)
    }
}
