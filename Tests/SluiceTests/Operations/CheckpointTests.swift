import StreamTestSupport
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Members that are proved by a checkpoint, without decoding the rest of their frame.
@Suite(.timeLimit(.minutes(4)))
struct CheckpointTests {
    /// Three frames, with members of up to 70 KB.
    private static let archive = TarSample.files((0..<80).map { 1000 * ($0 % 71) }).bytes
    private static let frameSize = 1 << 20
    private static let distance = Int(ContentChecksum.checkpointDistance)

    private static func compressed(
        _ archive: [UInt8] = archive, frameSize: Int = frameSize, hasChecksums: Bool = true
    ) throws -> [UInt8] {
        var options = CompressionOptions(level: 1, frameSize: frameSize)
        options.hasChecksum = hasChecksums
        return try Job(ArchiveCompression(Compression(options)), threads: 2).output(of: archive)
    }

    /// What is written of a member without a run; nil if that takes one.
    private static func atOnce(_ name: String, in file: [UInt8]) throws -> [UInt8]? {
        let input = try NamelessFile(file)
        let output = try NamelessFile()
        var source = try Source(input.descriptor)
        let job = Job(MemberExtraction(MemberSelection([MemberPattern(Array(name.utf8))])))
        let summary = try job.runWhole(from: &source, to: try Sink(output.descriptor), latch: FailureLatch())
        return summary == nil ? nil : try output.content
    }

    private static func index(of file: [UInt8]) throws -> (frames: FrameIndex, members: ArchiveIndex) {
        let file = try NamelessFile(file)
        let source = try Source(file.descriptor)
        let members = try #require(try CompressedInput(source).archiveIndex())
        return (try #require(try FrameSearch(source: source).index(reaching: nil)).index, members)
    }

    @Test(arguments: [1 << 16, 1 << 18, 3 << 18, (1 << 18) + 512, 1 << 20])
    func `a checkpoint has the checksum of what its frame has in front of it`(frameSize: Int) throws {
        let (frames, members) = try Self.index(of: Self.compressed(frameSize: frameSize))
        for place in stride(from: Self.distance, through: Self.archive.count, by: Self.distance) {
            let checkpoint = try #require(members.checkpoint(after: UInt64(place)))
            let frame = try #require(frames.position(ofContent: UInt64(place - 1)).map { frames[$0] })
            #expect(checkpoint.place == UInt64(place))
            #expect(checkpoint.checksum == contentChecksum(Self.archive[Int(frame.content.lowerBound)..<place]))
            #expect(members.checkpoint(after: UInt64(place - 1))?.place == UInt64(place))
            #expect(members.checkpoint(after: UInt64(place - Self.distance + 1))?.place == UInt64(place))
        }
        let rest = Self.archive.count % Self.distance
        #expect(rest > 0 && members.checkpoint(after: UInt64(Self.archive.count - rest + 1)) == nil)
        let small = TarSample.files([1]).bytes
        #expect(try Self.index(of: Self.compressed(small)).members.checkpoint(after: 1) == nil)
        #expect(try Self.atOnce("d/0", in: Self.compressed(small))?.count == 1)
    }

    @Test func `the frames are those that libzstd makes with its own checksums`() throws {
        let file = try Self.compressed()
        let frames = try Self.index(of: file).frames
        var compressor = try Compressor(CompressionOptions(level: 1, frameSize: Self.frameSize))
        for position in 0..<frames.count where !frames[position].content.isEmpty {
            let (input, content) = (frames[position].input, frames[position].content)
            var frame = [UInt8](repeating: 0, count: CompressionOptions.bound(content.count))
            let part = Self.archive[Int(content.lowerBound)..<Int(content.upperBound)]
            let count = try frame.withUnsafeMutableBytes { try compressor.compress(part.span.bytes, into: $0) }
            // The stream header may follow.
            #expect(file[Int(input.lowerBound)...].starts(with: frame[..<count]))
        }
    }

    /// One bit of each frame's last bytes, and of its first ones.
    @Test func `what follows the checkpoint may be damaged, and nothing in front of it`() throws {
        let file = try Self.compressed()
        let (frames, members) = try Self.index(of: file)
        var (tried, proved) = (0, 0)
        for member in try TarSample.members(of: Self.archive) where member.kind == .file {
            let name = String(decoding: member.path, as: UTF8.self)
            let position = try #require(frames.position(ofContent: member.start))
            let frame = frames[position]
            guard member.end <= frame.content.upperBound, let checkpoint = members.checkpoint(after: member.end),
                checkpoint.place + ContentChecksum.checkpointDistance < frame.content.upperBound
            else { continue }
            tried += 1
            var damaged = file
            damaged[Int(frame.input.upperBound) - 100] ^= 1
            if try Self.atOnce(name, in: damaged) == Array(Self.archive[member.dataRange]) { proved += 1 }
            damaged = file
            damaged[Int(frame.input.lowerBound) + 100] ^= 1
            #expect(try Self.atOnce(name, in: damaged) == nil)
        }
        #expect(tried > 10 && proved == tried)
    }

    @Test func `a wrong checkpoint, or none, leaves the member to a run`() throws {
        let file = try Self.compressed()
        let (_, members) = try Self.index(of: file)
        let place = try #require(members.checkpoint(after: 1)).checksum
        // The checksum of the index is made right again.
        var bytes: [UInt8] = []
        bytes.appendLittleEndian(place)
        let found = try #require(file.indices.last { file[$0...].starts(with: bytes) })
        var lied = file
        lied[found] ^= 1
        let start = try #require(lied.indices.last { lied[$0...].starts(with: [0x55, 0x2A, 0x4D, 0x18]) })
        let end = found + 4 * (Self.archive.count / Self.distance)
        var checksum: [UInt8] = []
        checksum.appendLittleEndian(contentChecksum(lied[(start + 8)..<end]))
        lied.replaceSubrange(end..<end + 4, with: checksum)
        #expect(try Self.index(of: lied).members.checkpoint(after: 1)?.checksum == place ^ 1)
        #expect(try Self.atOnce("d/1", in: file)?.count == 1000)
        #expect(try Self.atOnce("d/1", in: lied) == nil)
        let job = Job(MemberExtraction(MemberSelection([MemberPattern(Array("d/1".utf8))])), threads: 2)
        #expect(try job.output(of: lied).count == 1000)
        let unchecked = try Self.compressed(hasChecksums: false)
        #expect(try Self.index(of: unchecked).members.checkpoint(after: 1) == nil)
        #expect(try Self.atOnce("d/1", in: unchecked) == nil)
        #expect(try job.output(of: unchecked).count == 1000)
    }
}
