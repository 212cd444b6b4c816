import ByteStreams
import Glibc
import StreamTestSupport
import SystemPackage
import Testing
import ZstdCodec

@testable import SluiceEngine
@testable import StagedDecoding

/// Frames of zstd's own generator (`decodecorpus`), which uses all of the format: what its compressor never makes, too.
@Suite(.timeLimit(.minutes(4)))
struct GeneratedFrameTests {
    /// The frames, and what libzstd makes of each.
    private static let frames: Result<[(frame: [UInt8], content: [UInt8])], any Error> = Result {
        let folder = FilePath(#filePath).removingLastComponent().appending("../../CommandTests/Fixtures")
        let file = try FileDescriptor.open(folder.appending("decodecorpus.zst").lexicallyNormalized(), .readOnly)
        defer { try? file.close() }
        var bytes = [UInt8](repeating: 0, count: try Int(file.seek(offset: 0, from: .end)))
        _ = try file.fill(&bytes, from: 0)
        var frames: [(frame: [UInt8], content: [UInt8])] = []
        var decompressor = try Decompressor()
        while !bytes.isEmpty {
            var scanner = FrameScanner()
            let (size, ended) = try scanner.scan(bytes.span.bytes)
            let (frame, bound) = (Array(bytes[..<size]), Int(try #require(ended).decompressedBound))
            var content = [UInt8](repeating: 0, count: bound)
            let count = try content.withUnsafeMutableBytes {
                try decompressor.decompress(frame.span.bytes, into: $0, offset: 0)
            }
            frames.append((frame, Array(content[..<count])))
            bytes.removeFirst(size)
        }
        return frames
    }

    /// Decodes a frame from parts of this size.
    ///
    /// - Returns: the content, and whether several threads decoded it.
    private static func decode(_ frame: [UInt8], parts: Int, workers: Int) throws -> ([UInt8], wasStaged: Bool) {
        let limits = DecodingLimits(windowSize: UInt64(Decompression.defaultWindowLimit))
        let stages = StagedFrameThreads(workers: workers, smallest: 100, latch: FailureLatch())
        var decoder = try SegmentDecoder(limits: limits, checksum: try FrameChecksum(), parallelDecoder: stages)
        try decoder.begin()
        var (content, wasStaged) = ([UInt8](), false)
        for start in stride(from: 0, to: frame.count + parts, by: parts) {
            let part = frame[min(start, frame.count)..<min(start + parts, frame.count)]
            var rest = part.span.bytes
            var isDone = false
            while !isDone {
                let output = try decoder.makeOutput()
                // Memory that slides has another size.
                wasStaged = wasStaged || output.memory.count != ChunkResult.segmentSize
                let written: Int
                (written, isDone) = try decoder.step(&rest, into: output.memory, isLast: start >= frame.count)
                guard written > 0 else { continue }
                let piece = output.finish(count: written)
                decoder.handOn(piece) {}
                content += piece.elements
            }
        }
        return (content, wasStaged)
    }

    @Test(arguments: [(1, count: 60), (4096, count: 1000), (1 << 20, count: 1000)], [1, 3])
    func `one core and several make of each what libzstd makes`(parts: (Int, count: Int), workers: Int) async throws {
        let (size, count) = parts
        let (others, staged) = try await within {
            var (others, staged) = (0, 0)
            for (frame, content) in try Self.frames.get().prefix(count) {
                let (decoded, wasStaged) = try Self.decode(frame, parts: size, workers: workers)
                if !decoded.isSame(as: content) { others += 1 }
                if wasStaged { staged += 1 }
            }
            return (others, staged)
        }
        #expect(others == 0)
        // A frame that comes in one part has a core.
        #expect(workers == 1 || size > 4096 ? staged == 0 : staged > 20)
    }

    @Test(arguments: [1, 4096, 1 << 20], [1, 3])
    func `a run from a pipe has the content of all, as one from a file`(piece: Int, threads: Int) async throws {
        let (pipe, file, content) = try await within {
            let frames = try Self.frames.get()
            let input = frames.flatMap(\.frame)
            let job = Job.decompress(threads: threads)
            return (
                try job.outcomeThroughPipes(of: input, pieces: [piece]), try job.outcome(of: input),
                frames.flatMap(\.content)
            )
        }
        #expect(pipe.failure == nil && file.failure == nil)
        #expect(pipe.bytes.isSame(as: content))
        #expect(file.bytes.isSame(as: content))
    }
}
