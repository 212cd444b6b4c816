import StreamTestSupport
import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import Archives
@testable import SluiceEngine

/// Members of few frames, which are written without a run: as with one, or left to it with nothing written.
@Suite(.timeLimit(.minutes(4)))
struct ArchiveShortRunTests {
    private static let archive = TarSample.files((0..<300).map { $0 % 17 == 0 ? 90_000 : $0 * 20 }).bytes
    private static let compressed = Result {
        try Job(ArchiveCompression(Compression(level: 1, frameSize: 1 << 16)), threads: 2).output(of: archive)
    }

    /// What the short way left; nil for a summary if it was left to the long one.
    private struct Left {
        var summary: Summary?
        var output: [UInt8]
        var notices = 0
        var willWrite: [UInt64] = []
    }

    private static func selection(_ names: [String], asArchive: Bool = false) -> MemberSelection {
        MemberSelection(names.map { MemberPattern(Array($0.utf8)) }, asArchive: asArchive)
    }

    private static func left(of file: [UInt8], _ selection: MemberSelection) throws -> Left {
        let input = try NamelessFile(file)
        let output = try NamelessFile()
        var source = try Source(input.descriptor)
        let notices = Mutex(0)
        let job = Job(MemberExtraction(selection) { _, new in notices.withLock { $0 += new.count } })
        var willWrite: [UInt64] = []
        let summary = try job.runWhole(
            from: &source, to: try Sink(output.descriptor), latch: FailureLatch(), willTake: { willWrite.append($0) })
        return Left(
            summary: summary, output: try output.content, notices: notices.withLock { $0 }, willWrite: willWrite)
    }

    @Test(
        arguments: [
            (["d/3"], false), (["d/17"], false), (["d/299"], false), (["d/0"], true),
            (["d/3", "d/170", "d/29?"], false), (["d/1", "d/2"], true),
        ])
    func `the bytes and the summary are those of a run`(names: [String], asArchive: Bool) throws {
        let (file, selection) = (try Self.compressed.get(), Self.selection(names, asArchive: asArchive))
        let short = try Self.left(of: file, selection)
        let long = try Job(MemberExtraction(selection), threads: 2).outcome(of: file)
        #expect(short.output == long.bytes)
        #expect(long.failure == nil)
        // A gap may be read with what is around it.
        let read = (short.summary?.bytesIn ?? 0, long.summary?.bytesIn ?? 0)
        #expect(read.0 > 0 && (read.0...read.0 + 64).contains(read.1))
        #expect(short.summary?.bytesOut == long.summary?.bytesOut)
        #expect(short.summary?.contentSize == long.summary?.contentSize)
        #expect(short.willWrite == [UInt64(short.output.count)])
    }

    @Test func `a sparse file has its holes, and what surprises is said once`() throws {
        var sample = TarSample()
        for content in [1, 2] {
            sample.header("holes", flag: "S", size: 512, magic: TarSample.gnu) { block in
                block.replaceSubrange(386..<410, with: "00000200000 00000001000 ".utf8)
                block.replaceSubrange(483..<494, with: "00000400000".utf8)
            }
            sample.data([UInt8](repeating: UInt8(content), count: 512))
        }
        sample.zeros()
        let file = try Job(ArchiveCompression(Compression(level: 1))).output(of: sample.bytes)
        let left = try Self.left(of: file, Self.selection(["holes"]))
        let zeros = [UInt8](repeating: 0, count: 1 << 16)
        #expect(left.output == zeros + [UInt8](repeating: 2, count: 512) + zeros.dropLast(512))
        #expect(left.notices == 1)
    }

    /// One bit in each frame; a whole frame that is none any more.
    @Test func `a frame that is damaged is left to the run, which writes nothing of it`() throws {
        let file = try Self.compressed.get()
        let source = try NamelessFile(file)
        let index = try #require(try FrameSearch(source: Source(source.descriptor)).index(reaching: nil)).index
        let member = try #require(
            TarSample.members(of: Self.archive).dropFirst(150).first { member in
                index.position(ofContent: member.start) == index.position(ofContent: member.end - 1)
            })
        let (name, needed) = (
            String(decoding: member.path, as: UTF8.self), try #require(index.position(ofContent: member.start))
        )
        for position in 0..<index.count where !index[position].content.isEmpty {
            var damaged = file
            damaged[Int(index[position].input.upperBound) - 2] ^= 1
            // The header behind the frame confirms where that ends.
            let isNear = (needed...needed + 1).contains(position)
            damaged[Int(index[position].input.lowerBound)] ^= isNear ? 0 : 1
            let left = try Self.left(of: damaged, Self.selection([name]))
            #expect((left.summary == nil) == (position == needed), "\(position)")
            let long = try Job(MemberExtraction(Self.selection([name])), threads: 2).outcome(of: damaged)
            // No other frame is looked at.
            #expect((long.failure != nil) == (position == needed), "\(position)")
            if position == needed {
                #expect(left.output.isEmpty && left.willWrite.isEmpty)
                #expect(long.bytes.isEmpty)
            } else {
                #expect(left.output.count == member.size && long.bytes == left.output)
            }
        }
    }

    /// An index in the file with members elsewhere, or of other sizes than the headers say.
    @Test(arguments: 0..<4)
    func `an index that lies is an error, and gives no byte`(lie: Int) throws {
        let index = try TarSample.index(of: Self.archive) { members in
            switch lie {
            case 0: members[150].mode ^= 0o111
            case 1:
                members[150].contentSize -= 1
                members[150].storedSize -= 1
            case 2:
                members[150].data += 512
                members[150].storedSize -= 512
            default: members[150].path = Array("d/x".utf8)
            }
        }
        let lied = try Self.compressed.get().replacingIndex(by: index)
        let selection = Self.selection([lie == 3 ? "d/x" : "d/149"])
        let left = try Self.left(of: lied, selection)
        let long = try Job(MemberExtraction(selection), threads: 2).outcome(of: lied)
        #expect(left.summary == nil && left.output.isEmpty)
        #expect(long.failure?.code == .archive && long.bytes.isEmpty)
        // It is an index, and right about the others.
        #expect(try Self.left(of: lied, Self.selection(["d/151"])).output.count == 3020)
    }

    @Test func `what has no index, or is more than a moment's work, takes a run`() throws {
        let foreign = try Job.compress().output(of: Self.archive)
        #expect(try Self.left(of: foreign, Self.selection(["d/3"])).summary == nil)
        let large = TarSample.files([9 << 20, 1]).bytes
        let file = try Job(ArchiveCompression(Compression(level: 1))).output(of: large)
        #expect(try Self.left(of: file, Self.selection(["d/0"])).summary == nil)
        #expect(try Self.left(of: file, Self.selection(["d/1"])).summary != nil)
        for name in ["d/none", "d/*"] { #expect(try Self.left(of: file, Self.selection([name])).summary == nil) }
    }

    @Test func `an error of writing is one, and nothing is written when the run was ended before`() throws {
        let input = try NamelessFile(try Self.compressed.get())
        let output = try NamelessFile()
        let full = try FileDescriptor.open("/dev/full", .writeOnly)
        defer { try? full.close() }
        var source = try Source(input.descriptor)
        let job = Job(MemberExtraction(Self.selection(["d/3"])))
        #expect(throws: Failure.writing(.noSpace)) {
            try job.runWhole(from: &source, to: try Sink(full), latch: FailureLatch())
        }
        let latch = FailureLatch()
        latch.fail(.cancelled)
        #expect(throws: Failure.cancelled) {
            try job.runWhole(from: &source, to: try Sink(output.descriptor), latch: latch)
        }
        #expect(try output.content.isEmpty)
    }
}

extension [UInt8] {
    /// A compressed archive with another index of members.
    fileprivate func replacingIndex(by index: [UInt8]) throws -> [UInt8] {
        let file = try NamelessFile(self)
        let (table, encoded) = try #require(try CompressedInput(Source(file.descriptor)).seekTable())
        let place = try #require(table.entries.lastIndex { $0.decompressedSize == 0 })
        let old = Int(table.entries[place].compressedSize)
        var other = SeekTable(hasChecksums: table.hasChecksums)
        for (position, entry) in table.entries.enumerated() {
            other.append(position == place ? SeekTable.Entry(skippable: index.count) : entry)
        }
        return Array(dropLast(encoded.count + old)) + index + other.encoded
    }
}
