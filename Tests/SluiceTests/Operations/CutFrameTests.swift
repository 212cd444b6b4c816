import Sluice
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// What decodes of a frame that the end of the input cuts is written where others see it, and the run fails.
@Suite(.timeLimit(.minutes(4)))
struct CutFrameTests {
    static let content = patchwork(700_000)

    /// Frames that are held as wholes, that don't say their size, that have raw blocks, and that follow another.
    enum Shape: CaseIterable {
        case frame, withoutChecksum, raw, second, own

        func stream() throws -> [UInt8] {
            switch self {
            case .frame: return try TestSupport.frame(content, CompressionOptions(level: 3))
            case .withoutChecksum:
                return try TestSupport.frame(content, CompressionOptions(level: 3, hasChecksum: false))
            case .raw: return try rawFrame(of: content)
            case .second: return try TestSupport.frame([1, 2, 3]) + TestSupport.frame(content)
            case .own: return try Job.compress().output(of: content)
            }
        }
    }

    /// What libzstd's streaming decoder gives of it, frame by frame.
    private static func decoded(_ stream: [UInt8]) throws -> [UInt8] {
        var content = [UInt8](repeating: 0, count: 2_000_000)
        var (rest, written) = (stream.span.bytes, 0)
        var decompressor = try Decompressor()
        while !rest.isEmpty {
            try decompressor.begin()
            let before = rest.byteCount
            written += try content.withUnsafeMutableBytes { memory in
                try decompressor.stream(
                    &rest, into: UnsafeMutableRawBufferPointer(rebasing: memory[written...]), isLast: true, offset: 0
                ).written
            }
            if rest.byteCount == before { break }
        }
        return Array(content[..<written])
    }

    @Test(arguments: Shape.allCases, [1, 3])
    func `wherever it is cut, all comes that libzstd decodes, and then the error`(shape: Shape, threads: Int)
        async throws
    {
        let wrong = try await within(100) {
            let stream = try shape.stream()
            return try (1..<60).map { stream.count * $0 / 60 + $0 % 7 }.filter { cut in
                let cutStream = Array(stream[..<cut])
                let outcome = Job.decompress(threads: threads).outcomeInMemory(of: cutStream, piece: 100_000)
                let wanted = try Self.decoded(cutStream)
                // A cut between frames is an error of another kind, or none.
                guard outcome.failure?.codecFailure == .truncated(offset: UInt64(cut)) else {
                    return outcome.failure == nil || !outcome.bytes.isPrefix(of: Self.content)
                }
                return !outcome.bytes.isSame(as: wanted)
            }
        }
        #expect(wrong == [])
    }

    /// 40 MB are streamed, by one core or several.
    @Test(arguments: [1, 4], [true, false])
    func `a frame that is too large to be held, too`(threads: Int, hasChecksum: Bool) async throws {
        let wrong = try await within(100) {
            let content = patchwork(40_000_000)
            let stream = try frame(content, CompressionOptions(level: 1, hasChecksum: hasChecksum))
            var wrong: [Int] = []
            for cut in [stream.count / 3, stream.count * 2 / 3 + 1, stream.count - 5] {
                let outcome = Job.decompress(threads: threads).outcomeInMemory(of: Array(stream[..<cut]))
                // What one more block would have.
                let least = Int(Double(content.count) * Double(cut) / Double(stream.count)) - 1_000_000
                if outcome.failure?.codecFailure != .truncated(offset: UInt64(cut)) || outcome.bytes.count < least
                    || !outcome.bytes.isPrefix(of: content)
                {
                    wrong.append(cut)
                }
            }
            return wrong
        }
        #expect(wrong == [])
    }

    @Test func `nothing comes of a frame that is damaged otherwise`() async throws {
        let counts = try await within {
            let whole = try Shape.frame.stream()
            // Reserved kinds of blocks, and whatever else a block can't be.
            return (0..<40).map { number -> Int in
                var stream = whole
                stream[stream.count / 2 + number * 101] ^= 0xFF
                let complete = Job.decompress().outcomeInMemory(of: stream)
                return complete.failure == nil ? -1 : complete.bytes.count
            }
        }
        #expect(counts.allSatisfy { $0 == 0 })
    }

    @Test func `a cut frame does not complete a range, and gives no file and no share`() async throws {
        let scratch = try Scratch()
        let stream = try Shape.frame.stream()
        let path = try scratch.write(Array(stream[..<(stream.count / 2)]), to: "a.zst")
        let pipe = try Pipe()
        defer { pipe.close() }
        pipe.feed(Array(stream[..<(stream.count / 2)]))
        let failure = await #expect(throws: Failure.self) {
            try await Decompression(ranges: [ContentRange(0..<10)]).run(
                from: .descriptor(pipe.reading), to: .file(scratch.path.appending("b")))
        }
        #expect(failure?.code == .truncated)
        await #expect(throws: Failure.self) {
            try await Decompression().run(from: .file(path), to: .file(scratch.path.appending("b")))
        }
        #expect(scratch.names == ["a.zst"])
    }
}
