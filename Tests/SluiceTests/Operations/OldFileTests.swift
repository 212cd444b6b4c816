import Archives
import Sluice
import StreamTestSupport
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Frames once said the window of their encoder, and not one that holds all of them. Such files are read as before.
@Suite(.timeLimit(.minutes(4)))
struct OldFileTests {
    /// Matches reach as far as the window, through all of a frame.
    private static let stretch = sample(120_000)
    private static let content = (0..<24).flatMap { stretch + sample(2000, seed: UInt64($0) + 2) }
    private static let place = 512..<512 + content.count

    /// An archive with one member, in a file of a few frames, in each of which the window is an eighth of the content.
    private static func file(hasChecksum: Bool) throws -> (archive: [UInt8], file: [UInt8]) {
        var archive = TarSample()
        archive.file("member", content)
        archive.zeros()
        var compression = Compression(level: 1, frameSize: 1 << 20)
        compression.options.parameters[.windowLog] = 17
        compression.options.hasChecksum = hasChecksum
        return (archive.bytes, try Job(compression, threads: 2).output(of: archive.bytes))
    }

    @Test(arguments: [true, false], [1, 2, 4])
    func `they are read from a file, a pipe and memory, in parts and by members`(
        hasChecksum: Bool, threads: Int
    ) async throws {
        let (isNarrow, isSame) = try await within {
            let (archive, bytes) = try Self.file(hasChecksum: hasChecksum)
            let file = try NamelessFile(bytes)
            let listing = try Listing(of: Source(file.descriptor))
            let whole = Job.decompress(threads: threads)
            let range = Array(archive[300_000..<2_500_000])
            let extraction = Decompression(ranges: [ContentRange(300_000..<2_500_000)]).operation
            let selection = MemberSelection([MemberPattern(Array("member".utf8))], asArchive: false)
            let outputs = [
                (try whole.output(of: bytes), archive),
                (try whole.outcomeThroughPipes(of: bytes, pieces: [70_000, 3]).bytes, archive),
                (whole.outcomeInMemory(of: bytes, piece: 9000).bytes, archive),
                (try Decompression().decompress(bytes.span.bytes, limit: archive.count), archive),
                (try Job(extraction, threads: threads).output(of: bytes), range),
                (try CompressedFile(file.descriptor).read(300_000..<2_500_000), range),
                (try Job(MemberExtraction(selection), threads: threads).output(of: bytes), Self.content),
            ]
            return (listing.largestWindow == 1 << 17, outputs.map { $0.0.isSame(as: $0.1) })
        }
        #expect(isNarrow)
        #expect(isSame.allSatisfy { $0 }, "\(isSame)")
    }
}
