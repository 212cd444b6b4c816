import Glibc
import Sluice
import StreamTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import Archives
@testable import SluiceEngine
@testable import ZstdCodec

/// Trailers, tables, headers and indexes that say what they never should, with checksums that are right: each number of
/// each of them is replaced by each of a row of numbers. Nothing traps, and what is accepted has the right content.
@Suite(.timeLimit(.minutes(8)))
struct OwnStructuresTests {
    private static let content = sample(5 * 4096 + 17)
    private static let numbers: [UInt64] = [
        0, 1, 2, 3, 7, 8, 9, 0x7F, 0x80, 0xFF, 0xFFFF, 1 << 16, 1 << 30, 1 << 30 + 1, 0x7FFF_FFFF, 0x8000_0000,
        0xFFFF_FFF0, 0xFFFF_FFFF, 1 << 32, 1 << 62, .max >> 1, 1 << 63, .max - 8, .max,
    ]

    /// Calls `body` with each change of one number in a structure, which begins at a multiple of four bytes; in a long
    /// run, also of each byte.
    ///
    /// - Parameter seal: puts the checksums right.
    private static func forEachChange(
        of bytes: [UInt8], in range: Range<Int>, seal: (inout [UInt8]) -> Void = { _ in },
        _ body: ([UInt8]) throws -> Void
    ) rethrows {
        for place in range {
            let isAligned = (place - range.lowerBound) % 4 == 0
            let widths = (isAligned ? [4, 8] : []) + (isLong ? [1] : [])
            for width in widths where place + width <= range.upperBound {
                for number in numbers where width == 8 || number >> UInt64(8 * width) == 0 {
                    var changed = bytes
                    withUnsafeBytes(of: number.littleEndian) { number in
                        changed.replaceSubrange(place..<place + width, with: number.prefix(width))
                    }
                    if changed == bytes { continue }
                    seal(&changed)
                    try body(changed)
                }
            }
        }
    }

    // MARK: Parts

    private static func seal(trailer: inout [UInt8]) {
        var digest = NumberDigest()
        let end = trailer.count - 12
        for place in stride(from: 0, to: end - 3, by: 4) {
            digest.append(UInt64(UInt32(littleEndianBytes: trailer[place..<place + 4])))
        }
        withUnsafeBytes(of: digest.value.littleEndian) { trailer.replaceSubrange(end..<end + 8, with: $0) }
    }

    /// The file that a trailer describes, as far as one has frames of these bytes: nil if it would be large.
    private static func file(_ trailer: PartTrailer, frames: [UInt8], _ encoded: [UInt8]) -> [UInt8]? {
        guard trailer.framesSize < 1 << 20 else { return nil }
        var (file, rest, placement) = ([UInt8](), frames[...], trailer.parameters.placement)
        for entry in trailer.entries {
            file += FrameAlignment.filling(placement.place(UInt64(entry.compressedSize)))
            file += rest.prefix(Int(entry.compressedSize))
            rest = rest.dropFirst(Int(entry.compressedSize))
        }
        return file + FrameAlignment.filling(placement.placeLast(UInt64(trailer.encodedSize))) + encoded
    }

    @Test(arguments: [(1, nil), (2, 1 << 16)] as [(Int, Int?)])
    func `a part may say anything about itself`(count: Int, alignment: Int?) async throws {
        let flaws = try await within(400) {
            var options = CompressionOptions(level: 1, frameSize: 4096)
            options.alignment = alignment
            let parts = try PartedContent(content: Self.content, count: count, options: options).parts()
            let part = parts[0]
            let known = PartTrailer.encodedSize(footer: part.span.bytes.extracting(last: 16))
            let size = try #require(known)
            let (start, trailer) = (part.count - size, Array(part.suffix(size)))
            let parsed = PartTrailer(trailer.span.bytes)
            let made = try #require(parsed)
            let frames = Array(part[..<Int(made.entries.reduce(0) { $0 + UInt64($1.compressedSize) })])
            var flaws = 0
            try Self.forEachChange(of: trailer, in: 0..<size, seal: Self.seal(trailer:)) { changed in
                let parsed = PartTrailer(changed.span.bytes)
                // As it is, and the file that it describes.
                var files = [Array(part[..<start]) + changed]
                if let parsed { files += [Self.file(parsed, frames: frames, changed)].compactMap(\.self) }
                for file in files {
                    let joined = try JoinWriterTests.join([file] + parts.dropFirst())
                    guard joined.failure == nil else { continue }
                    let outcome = try Job.decompress().outcome(of: joined.bytes)
                    if outcome.failure == nil, !outcome.bytes.isSame(as: Self.content) { flaws += 1 }
                }
            }
            return flaws
        }
        #expect(flaws == 0)
    }

    // MARK: Streams

    @Test func `a seek table and a stream header may say anything`() async throws {
        let flaws = try await within(400) {
            let file = try Job.compress(frameSize: 4096).output(of: Self.content)
            let first = try #require(
                file.indices.dropLast(4).first { UInt32(littleEndianBytes: file[$0..<$0 + 4]) == StreamHeader.magic })
            let known = SeekTable.encodedSize(footer: file.span.bytes.extracting(last: 9))
            let table = try #require(known)
            var flaws: [String] = []
            for range in [first..<first + StreamHeader.encodedSize, file.count - Int(table)..<file.count] {
                try Self.forEachChange(of: file, in: range) { changed in
                    for threads in [1, 2] {
                        let outcome = try Job.decompress(threads: threads).outcome(of: changed)
                        if outcome.failure == nil, !outcome.bytes.isSame(as: Self.content) { flaws.append("decoded") }
                    }
                    let nameless = try NamelessFile(changed)
                    guard let opened = try? CompressedFile(nameless.descriptor) else { return }
                    let read = try? opened.read(0..<opened.contentSize)
                    if let read, !read.isSame(as: Self.content) { flaws.append("read") }
                    _ = try? opened.read(opened.contentSize - min(opened.contentSize, 5000)..<opened.contentSize)
                }
            }
            return flaws
        }
        #expect(flaws.isEmpty)
    }

    /// With another window, size or dictionary, content is as before, or refused.
    @Test func `a header of a frame may say anything`() async throws {
        let flaws = try await within(400) {
            let file = try Self.content.compressed(level: 1)
            let descriptor = file[4]
            var flaws: [String] = []
            for other in 0...UInt8.max {
                guard let size = FrameHeader.size(descriptor: other),
                    let old = FrameHeader.size(descriptor: descriptor)
                else { continue }
                for (turn, number) in Self.numbers.enumerated() where isLong || (turn + Int(other)) % 4 == 0 {
                    let fields = withUnsafeBytes(of: number.littleEndian) { Array($0) + Array($0) }
                    let changed = file[..<4] + [other] + fields.prefix(size - 5) + file[old...]
                    for threads in [1, 2] {
                        let outcome = try Job.decompress(threads: threads).outcome(of: Array(changed))
                        if outcome.failure == nil, !outcome.bytes.isSame(as: Self.content) {
                            flaws.append("\(other), \(number)")
                        }
                    }
                }
            }
            return flaws
        }
        #expect(flaws.isEmpty)
    }

    // MARK: Members

    private static func seal(index: inout [UInt8], end: Int) {
        let checksum = contentChecksum(index[FrameFormat.skippableHeaderSize..<end])
        withUnsafeBytes(of: checksum.littleEndian) { index.replaceSubrange(end..<end + 4, with: $0) }
    }

    @Test func `an index of members may say anything`() async throws {
        try await within(400) {
            let archive = TarSample.files([100, 5000, 20, 70_000, 600_000]).bytes
            let packed = try Job(ArchiveCompression(Compression(level: 1, frameSize: 1 << 16))).output(of: archive)
            let start = try #require(
                packed.indices.dropLast(4).first {
                    UInt32(littleEndianBytes: packed[$0..<$0 + 4]) == ArchiveIndex.magic
                })
            let size = 8 + Int(UInt32(littleEndianBytes: packed[start + 4..<start + 8]))
            let frame = Array(packed[start..<start + size])
            let end =
                try #require(
                    frame.indices.dropLast(4).first { frame[$0...].starts(with: [0x28, 0xB5, 0x2F, 0xFD]) }) - 4
            let wanted = ["d/3", "d", "*"].map { MemberPattern(Array($0.utf8)) }
            try Self.forEachChange(of: frame, in: 0..<end, seal: { Self.seal(index: &$0, end: end) }) { changed in
                guard let index = ArchiveIndex(changed) else { return }
                try? index.visit { _ in }
                for place in Self.numbers { _ = index.checkpoint(after: place) }
                for pattern in wanted { _ = try? MemberSelection([pattern], asArchive: true).select(from: index) }
                let file = Array(packed[..<start]) + changed + packed[(start + size)...]
                let extraction = MemberExtraction(MemberSelection([wanted[0]]))
                let outcome = try Job(extraction, threads: 2).outcome(of: file)
                #expect(outcome.failure != nil || outcome.bytes.isSame(as: sample(70_000, seed: 4)))
            }
        }
    }

    @Test func `the columns of an index may say anything`() throws {
        var columns = MemberColumns(at: 0)
        for member in try TarSample.members(of: TarSample.files([100, 5000, 20, 70_000]).bytes) {
            columns.append(member)
        }
        func varint(_ number: UInt64) -> [UInt8] {
            var bytes: [UInt8] = []
            bytes.append(varint: number)
            return bytes
        }
        for (isNames, column) in [(true, columns.names), (false, columns.fields)] {
            for place in column.indices {
                for replacement in Self.numbers.map(varint) + [[UInt8](repeating: 0xFF, count: 12)] {
                    let changed = Array(column[..<place]) + replacement + column[(place + 1)...]
                    for count in [columns.count, 0, 1 << 20] {
                        let names = (isNames ? changed : columns.names).withUnsafeBytes {
                            MemberColumns.names(in: $0, count: count) { _ in nil }
                        }
                        guard let names else { continue }
                        for place in [0..<80_000, 0..<UInt64(1) << 61, 1 << 61..<1 << 62] as [Range<UInt64>] {
                            _ = try? (isNames ? columns.fields : changed).withUnsafeBytes { fields throws(Failure) in
                                try MemberColumns.visit(names, in: fields, count: count, at: place) { member in
                                    _ = (member.end, member.dataRange, member.size)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    // MARK: Index files

    @Test func `an index file may say anything`() async throws {
        let flaws = try await within(400) {
            let scratch = try Scratch()
            let whole = Self.content + Self.content
            let file = try NamelessFile(ExtractionTests.Form.silentFrames.file(whole))
            let path = scratch.path.appending("index")
            let ranges = [ContentRange(.offset(4000), count: 30_000)]
            let job = Job(Extraction(ranges, indexFile: IndexFile(at: path)), threads: 2)
            let sink = try NamelessFile()
            _ = try job.finished(from: file.descriptor, to: sink.descriptor)
            let written = try Job.decompress().output(of: scratch.content("index"))
            var flaws = 0
            try Self.forEachChange(of: written, in: 0..<written.count) { changed in
                try scratch.write(try changed.compressed(level: 1), to: "index")
                try file.descriptor.seek(offset: 0, from: .start)
                let sink = try NamelessFile()
                let (failure, _) = try job.finished(from: file.descriptor, to: sink.descriptor)
                if failure == nil, try !sink.content.isSame(as: Array(whole[4000..<34_000])) { flaws += 1 }
            }
            return flaws
        }
        #expect(flaws == 0)
    }
}
