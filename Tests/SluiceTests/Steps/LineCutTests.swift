import Sluice
import StreamTestSupport
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Frames that have whole lines.
@Suite(.timeLimit(.minutes(4)))
struct LineCutTests {
    private static let frameSize = 1024

    private static func compression(_ lineEnd: UInt8 = 10) -> Compression {
        var compression = Compression(CompressionOptions(level: 1, frameSize: frameSize))
        compression.framing = .lines(end: lineEnd)
        return compression
    }

    /// Lines of random lengths, the last one with or without an end.
    private static func lines(_ seed: UInt64, most: Int, _ lineEnd: UInt8 = 10) -> [UInt8] {
        var random = SeededNumbers(seed: seed)
        var content: [UInt8] = []
        while content.count < 40 * frameSize {
            let length = Int.random(in: 0...most, using: &random)
            content += (0..<length).map { _ in UInt8.random(in: 32...126, using: &random) } + [lineEnd]
        }
        return Bool.random(using: &random) ? content : content.dropLast()
    }

    /// What docs/format.md says of where frames end.
    private static func ends(in content: [UInt8], _ lineEnd: UInt8 = 10) -> [Int] {
        let multiples = stride(from: frameSize, to: content.count, by: frameSize)
        let ends = multiples.map { multiple in
            content[(multiple - 1)...].firstIndex(of: lineEnd).map { $0 + 1 } ?? content.count
        }
        return Set(ends + [content.count]).sorted()
    }

    private static func frameEnds(of compressed: [UInt8]) throws -> [Int] {
        let file = try NamelessFile(compressed)
        let found = try #require(try FrameSearch(source: Source(file.descriptor)).index(reaching: nil))
        return (0..<found.index.count).map { Int(found.index[$0].content.upperBound) }.filter { $0 > 0 }
    }

    @Test(arguments: [UInt64](1...12), [10, 0] as [UInt8])
    func `a frame ends behind the first line end at or after each multiple of its size`(
        seed: UInt64, lineEnd: UInt8
    ) async throws {
        let content = Self.lines(seed, most: [1, 80, 700, 1000][Int(seed % 4)], lineEnd)
        let (compressed, returned) = try await within {
            let compressed = try Job(Self.compression(lineEnd)).output(of: content)
            return (compressed, try Job.decompress().output(of: compressed))
        }
        #expect(returned.isSame(as: content))
        #expect(try Set(Self.frameEnds(of: compressed)).sorted() == Self.ends(in: content, lineEnd))
    }

    @Test(arguments: [1, 2, 7], ReadingMode.allCases)
    func `the bytes depend neither on the threads nor on who reads`(threads: Int, reading: ReadingMode) async throws {
        let content = Self.lines(5, most: 300)
        let (one, other) = try await within {
            var job = Job(Self.compression(), threads: threads)
            job.reading = reading
            return (try Job(Self.compression(), threads: 1).output(of: content), try job.output(of: content))
        }
        #expect(other.isSame(as: one))
    }

    @Test(arguments: [[1, 3, 700, 96], [1024], [65_536], [999]])
    func `nor on how the input arrives`(pieces: [Int]) async throws {
        let content = Self.lines(6, most: 300)
        let (file, pipe) = try await within {
            (
                try Job(Self.compression()).output(of: content),
                try Job(Self.compression()).outcomeThroughPipes(of: content, pieces: pieces)
            )
        }
        #expect(pipe.failure == nil)
        #expect(pipe.bytes.isSame(as: file))
    }

    @Test(arguments: [0, 1, 1023, 1024, 1025, 2047])
    func `content of every size comes back, with lines and without`(size: Int) async throws {
        let plain = [UInt8](repeating: 65, count: size)
        let lined = Array(Self.lines(7, most: 80)[..<size])
        let returned = try await within {
            try [plain, lined].map { try Job.decompress().output(of: Job(Self.compression()).output(of: $0)) }
        }
        #expect(returned == [plain, lined])
    }

    @Test(arguments: [0, 5000])
    func `a line for which no frame has room is told with its place`(start: Int) async throws {
        let lines = Array(Self.lines(8, most: 80)[..<start])
        let content = lines + [UInt8](repeating: 65, count: 3 * Self.frameSize) + [10]
        let failures = try await within {
            let file = try NamelessFile(content)
            let sink = try NamelessFile()
            let (ofFile, _) = try Job(Self.compression()).finished(from: file.descriptor, to: sink.descriptor)
            return [ofFile, try Job(Self.compression()).outcomeThroughPipes(of: content, pieces: [100]).failure]
        }
        #expect(failures.map { $0?.code } == [Failure.Code.lineTooLong, .lineTooLong])
        let begin = Self.ends(in: lines + [65]).last { $0 < start } ?? 0
        #expect(failures.map { $0?.offset } == [begin, begin])
    }

    @Test(arguments: [1, 2, 3, 7, 40, 100])
    func `parts are made without a word of one another, and make the file of one run`(count: Int) async throws {
        for (seed, most) in [(UInt64(9), 80), (10, 1000)] {
            let content = Self.lines(seed, most: most)
            let (whole, joined, sizes) = try await within {
                let options = CompressionOptions(level: 1, frameSize: Self.frameSize)
                let bytes = try PartedContent(content: content, count: count, options: options, framing: .lines())
                    .parts()
                let (joined, failure) = try JoinWriterTests.join(bytes)
                if let failure { throw failure }
                let whole = try Job(Self.compression()).output(of: content)
                return (whole, joined, try bytes.map { try Part($0).contentSize })
            }
            #expect(joined.isSame(as: whole))
            #expect(sizes.reduce(0, +) == UInt64(content.count))
            var end = 0
            for size in sizes.dropLast() {
                end += Int(size)
                #expect(end == 0 || end == content.count || content[end - 1] == 10)
            }
        }
    }

    @Test(arguments: [1, 2, 5, 39, 1000])
    func `shares of a compressed file are its content, cut between lines`(count: Int) async throws {
        let content = Self.lines(11, most: 200)
        let (shares, read) = try await within {
            let file = try NamelessFile(try Job(Self.compression()).output(of: content))
            let compressed = try CompressedFile(file.descriptor)
            let shares = compressed.shares(count)
            return (shares, try shares.flatMap { try compressed.read($0) })
        }
        #expect(shares.count == count)
        #expect(read.isSame(as: content))
        for share in shares where share.upperBound < content.count && share.upperBound > 0 {
            #expect(content[share.upperBound - 1] == 10)
        }
    }
}
