import ByteStreams
import Dispatch
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine
@testable import StagedDecoding

/// A frame that several cores decode has the content, and the failure, that libzstd gives it.
@Suite(.timeLimit(.minutes(4)))
struct StagedFrameTests {
    struct Decoded: Equatable {
        var content: [UInt8] = []
        var failure: Failure?
        /// Whether any of it was decoded in stages.
        var wasStaged = false

        static func == (one: Self, other: Self) -> Bool {
            one.failure == other.failure && one.content.isSame(as: other.content)
        }
    }

    /// Decodes frames from parts of this size.
    ///
    /// - Parameters:
    ///   - workers: 1 to leave them to libzstd.
    ///   - pauses: whether no part is known to be followed by another.
    private static func decode(
        _ frames: [UInt8], parts: Int, workers: Int, pauses: Bool = false
    ) throws -> Decoded {
        let cuts = Array(stride(from: parts, to: frames.count, by: parts))
        return try decode(frames, cutAt: cuts, workers: workers, pauses: pauses)
    }

    /// Decodes frames from the parts between cuts.
    ///
    /// - Parameters:
    ///   - workers: 1 to leave them to libzstd.
    ///   - pauses: whether no part is known to be followed by another.
    static func decode(
        _ frames: [UInt8], cutAt cuts: [Int], workers: Int, pauses: Bool = false
    ) throws -> Decoded {
        // Input that is read again, and input that comes only once.
        let again: StagedFrameThreads.Reread = { Array(frames[Int($0.lowerBound)..<Int($0.upperBound)]) }
        let reread = cuts.count.isMultiple(of: 2) ? again : nil
        let stages = StagedFrameThreads(workers: workers, smallest: 1000, reread: reread, latch: FailureLatch())
        let limits = DecodingLimits(windowSize: UInt64(Decompression.defaultWindowLimit))
        var decoder = try SegmentDecoder(limits: limits, checksum: try FrameChecksum(), parallelDecoder: stages)
        try decoder.begin()
        var decoded = Decoded()
        do throws(Failure) {
            let ends = cuts + [frames.count, frames.count]
            for (start, end) in zip([0] + ends, ends) {
                let part = Array(frames[start..<end])
                var outcome = Result<Void, Failure>.success(())
                outcome = Result { () throws(Failure) in
                    try step(part.span.bytes, isLast: start >= frames.count, &decoder, &decoded)
                    if pauses, decoder.pause() { try step(RawSpan(), isLast: false, &decoder, &decoded) }
                }
                try outcome.get()
            }
        } catch {
            decoded.failure = error
        }
        return decoded
    }

    private static func step(
        _ part: RawSpan, isLast: Bool, _ decoder: inout SegmentDecoder, _ decoded: inout Decoded
    ) throws(Failure) {
        var rest = part
        var isDone = false
        while !isDone {
            let output = try decoder.makeOutput()
            // Memory of a ring has another size.
            decoded.wasStaged = decoded.wasStaged || output.memory.count != ChunkResult.segmentSize
            let written: Int
            (written, isDone) = try decoder.step(&rest, into: output.memory, isLast: isLast)
            guard written > 0 else { continue }
            let piece = output.finish(count: written)
            decoder.handOn(piece) {}
            decoded.content += piece.elements
        }
    }

    @Test(arguments: [1, 3, 9, 19])
    func `several cores make of frames what was compressed, however they come`(level: Int) async throws {
        let (decoded, content) = try await within {
            // Some are too small for several cores.
            let contents = [
                patchwork(3_000_000), [], sample(900), sample(1_000_000, seed: 2), patchwork(131_072, seed: 3),
                [UInt8](repeating: 1, count: 5_000_000), patchwork(2_500_000, seed: 4),
            ]
            let frames = try contents.flatMap { try frame($0, CompressionOptions(level: level)) }
            let arrivals = [(999, false), (1 << 20, false), (999, true), (70_000, true)]
            return (
                try arrivals.map { try Self.decode(frames, parts: $0, workers: 3, pauses: $1) },
                contents.flatMap(\.self)
            )
        }
        for decoded in decoded {
            #expect(decoded.failure == nil)
            #expect(decoded.wasStaged)
            #expect(decoded.content.isSame(as: content))
        }
    }

    @Test(arguments: [Int(1 << 10), 1 << 17, 1 << 20])
    func `content is found wherever a window of this size lies`(window: Int) async throws {
        let (decoded, content) = try await within {
            let content = patchwork(6_000_000)
            var options = CompressionOptions(level: 3)
            options.parameters[.windowLog] = window.trailingZeroBitCount
            return (try Self.decode(try frame(content, options), parts: 70_000, workers: 2), content)
        }
        #expect(decoded.failure == nil)
        #expect(decoded.wasStaged)
        #expect(decoded.content.isSame(as: content))
    }

    @Test(arguments: [1, 300], [999, 1 << 16])
    func `the end of the content waits for its checksum, whatever empty blocks stand between`(
        emptyBlocks: Int, parts: Int
    ) async throws {
        let content = sample(2_300_000)
        let (right, wrong) = try await within {
            let decoded = try [true, false].map { isRight in
                var frame = try rawFrame(of: content, emptyBlocks: emptyBlocks)
                if !isRight { frame[frame.count - 1] ^= 1 }
                return try Self.decode(frame, parts: parts, workers: 2)
            }
            return (decoded[0], decoded[1])
        }
        #expect(right.failure == nil && right.wasStaged && right.content.isSame(as: content))
        #expect(wrong.failure != nil && wrong.wasStaged && wrong.content.count < content.count)
        #expect(wrong.content.isPrefix(of: content))
    }

    @Test(arguments: 0..<4)
    func `damaged and cut frames have the failure that libzstd gives them`(turn: Int) async throws {
        let different = try await within {
            var numbers = SeededNumbers(seed: UInt64(turn))
            let whole = try frame(patchwork(1_500_000, seed: UInt64(turn)), CompressionOptions(level: 3))
            return try (0..<60).filter { round in
                var frames = whole + whole
                if round % 4 == 0 {
                    frames.removeLast(Int.random(in: 1..<frames.count, using: &numbers))
                } else {
                    let place = Int.random(in: 0..<(round % 4 == 1 ? whole.count : 400), using: &numbers)
                    frames[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
                }
                let staged = try Self.decode(frames, parts: 100_000, workers: 2)
                let alone = try Self.decode(frames, parts: 100_000, workers: 1)
                // How much leaves before a failure is another matter.
                let isPrefix = staged.content.isPrefix(of: alone.content) || alone.content.isPrefix(of: staged.content)
                return staged.failure != alone.failure || staged.failure == nil && staged != alone || !isPrefix
            }
        }
        #expect(different == [])
    }

    /// Frames whose bit streams have bits left over are such: the format forbids them, libzstd takes them.
    @Test func `what is refused and libzstd accepts is accepted`() async throws {
        let (doubtful, different) = try await within {
            var numbers = SeededNumbers(seed: 5)
            let original = patchwork(1_500_000, seed: 9)
            // The buffer of libzstd has room for the content of the first, and begins again and again for the others.
            let frames = try [nil, 17, 10].map { window in
                var options = CompressionOptions(level: 3)
                options.parameters[.windowLog] = window
                return try frame(original, options)
            }
            var (doubtful, different) = (0, 0)
            for round in 0..<2000 where doubtful < 30 {
                let whole = frames[round % 3]
                var frame = whole
                let place = Int.random(in: 20..<frame.count - 4, using: &numbers)
                frame[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
                guard let content = try decodedWithoutChecksum(frame) else { continue }
                try Self.setChecksum(of: &frame, content)
                doubtful += 1
                // What follows is not the frame's.
                for parts in [999, 50_000, 1 << 20] {
                    let decoded = try Self.decode(whole + frame + whole, parts: parts, workers: 2, pauses: parts == 999)
                    let wanted = original + content + original
                    if decoded.failure != nil || !decoded.content.isSame(as: wanted) { different += 1 }
                }
            }
            return (doubtful, different)
        }
        #expect(doubtful == 30)
        #expect(different == 0)
    }

    static func setChecksum(of frame: inout [UInt8], _ content: [UInt8]) throws {
        var checksum = try ContentChecksum()
        checksum.append(content.span.bytes)
        frame.withUnsafeMutableBytes {
            $0.storeBytes(of: checksum.value.littleEndian, toByteOffset: $0.count - 4, as: UInt32.self)
        }
    }

    /// Literals without codes are decoded with those of an earlier block, one symbol or two at a time, as libzstd chose
    /// for that block. In a stream that is not used up exactly, these differ.
    @Test(arguments: 9..<13)
    func `what libzstd makes of literals without codes does not depend on where it goes on`(rawBlocks: Int) async throws
    {
        let folder = FilePath(#filePath).removingLastComponent().appending("../../CommandTests/Fixtures")
        let name = folder.appending("blocks-treeless-restored.bin").lexicallyNormalized()
        let file = try FileDescriptor.open(name, .readOnly)
        defer { try? file.close() }
        var bytes = [UInt8](repeating: 0, count: try Int(file.seek(offset: 0, from: .end)))
        _ = try file.fill(&bytes, from: 0)
        let blocks = bytes
        let (different, staged) = try await within {
            let block = sample(131_072)
            let rawBlock = [UInt8(0), 0, 16] + block
            var frame = Array(blocks[..<5]) + [0x50] + (0..<rawBlocks).flatMap { _ in rawBlock } + blocks[6...]
            let wanted = try #require(try decodedWithoutChecksum(frame, most: 4 << 20))
            try Self.setChecksum(of: &frame, wanted)
            let arrivals = [(999, false), (4096, true), (131_075, true), (1 << 20, false), (1 << 22, false)]
            var (different, staged) = ([Int](), [Int]())
            for (parts, pauses) in arrivals {
                let decoded = try Self.decode(frame, parts: parts, workers: 2, pauses: pauses)
                if decoded.failure != nil || !decoded.content.isSame(as: wanted) { different.append(parts) }
                if decoded.wasStaged { staged.append(parts) }
            }
            return (different, staged)
        }
        #expect(different == [])
        // What comes at once is decoded as a whole.
        #expect(staged == [999, 4096, 131_075, 1 << 20])
    }

    @Test func `a failure of the run ends the wait for memory that a frame later in the output holds`() async throws {
        let (kept, failure) = try await within {
            let latch = FailureLatch()
            let limits = DecodingLimits(windowSize: UInt64(Decompression.defaultWindowLimit))
            var decoder = try SegmentDecoder(
                limits: limits, checksum: try FrameChecksum(),
                parallelDecoder: StagedFrameThreads(workers: 2, smallest: 1000, latch: latch))
            try decoder.begin()
            var options = CompressionOptions(level: 1)
            options.parameters[.windowLog] = 17
            // More than the memory for content has.
            let frame = try frame(patchwork(StagedFrame.memory), options)
            var kept: [Bytes] = []
            DispatchQueue(label: "test.failure").asyncAfter(deadline: .now() + 1) { latch.fail(.cancelled) }
            do throws(Failure) {
                try Self.decode(frame, &decoder) { kept.append($0) }
                return (kept.count, nil as Failure?)
            } catch {
                return (kept.count, error)
            }
        }
        #expect(kept > 0)
        #expect(failure == .cancelled)
    }

    /// Decodes a frame, of which some comes at a time, and keeps each output.
    private static func decode(
        _ frame: [UInt8], _ decoder: inout SegmentDecoder, _ keep: (Bytes) -> Void
    ) throws(Failure) {
        for start in stride(from: 0, to: frame.count, by: 1 << 20) {
            let part = Bytes(Array(frame[start..<min(start + 1 << 20, frame.count)]))
            try part.forEachRegion { part throws(Failure) in
                var rest = part
                var isDone = false
                while !isDone {
                    let output = try decoder.makeOutput()
                    let written: Int
                    (written, isDone) = try decoder.step(&rest, into: output.memory, isLast: false)
                    guard written > 0 else { continue }
                    let piece = output.finish(count: written)
                    decoder.handOn(piece) {}
                    keep(piece)
                }
            }
        }
    }
}
