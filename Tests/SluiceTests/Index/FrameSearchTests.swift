import StreamTestSupport
import SystemPackage
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Where frames are, from wherever that is known.
@Suite(.timeLimit(.minutes(4)))
struct FrameSearchTests {
    private static let content = sample(700_000)

    private static func compressions() -> [Compression] {
        let sizes = [1 << 12, 1 << 16, 200_000].map { CompressionOptions(level: 1, frameSize: $0) }
        var (plain, rolling, aligned) = (sizes[1], sizes[1], CompressionOptions(level: 1))
        plain.hasChecksum = false
        rolling.cutsByContent = true
        aligned.alignment = 1 << 16
        var lines = Compression(sizes[0])
        lines.framing = .lines()
        return (sizes + [plain, rolling, aligned]).map { Compression($0) } + [lines]
    }

    /// The bounds of entries that have content: joined ones have fewer of them.
    private static func ends(_ index: FrameIndex) -> (input: Set<UInt64>, content: Set<UInt64>) {
        let entries = (0..<index.count).map { index[$0] }.filter { !$0.content.isEmpty }
        return (Set(entries.map(\.input.upperBound)), Set(entries.map(\.content.upperBound)))
    }

    @Test(arguments: compressions().indices)
    func `the map of a table is that of the headers, and that of decoding once`(number: Int) async throws {
        let (table, headers, collector, listing) = try await within {
            let file = try NamelessFile(try Job(Self.compressions()[number]).output(of: Self.content))
            let source = try Source(file.descriptor)
            let byTable = try #require(try FrameSearch(source: source).index(reaching: .max))
            let listing = try Listing(of: source)
            let collector = IndexCollector()
            let job = Job(FrameScan(decompression: Decompression(), collector: collector))
            let sink = try NamelessFile()
            _ = try job.finished(from: file.descriptor, to: sink.descriptor)
            #expect(try sink.content.isSame(as: Self.content))
            let byDecoding = try #require(collector.index(to: source.size ?? 0))
            // Without its last byte the table is none: headers tell where frames are up to there, and not whether any
            // is missing.
            let cut = try NamelessFile(Array(try file.content.dropLast()))
            let end = UInt64(Self.content.count)
            let byHeaders = try #require(try FrameSearch(source: Source(cut.descriptor)).index(reaching: end))
            #expect(byHeaders.method == .headersWithoutTable)
            #expect(byTable.method == .seekTable)
            return (byTable.index, byHeaders.index, byDecoding, listing)
        }
        #expect(table.contentSize == UInt64(Self.content.count) && listing.contentSize == table.contentSize)
        #expect(collector.contentSize == table.contentSize && headers.contentSize == table.contentSize)
        let ends = Self.ends(table)
        for other in [Self.ends(headers), Self.ends(collector)] {
            #expect(other.content.isSubset(of: ends.content))
            #expect(ends.content.count > 2 && other.content.contains(table.contentSize))
        }
        // Each byte of the content is in a frame that has the same place in the file.
        for offset in stride(from: UInt64(0), to: table.contentSize, by: 997) {
            let own = table[try #require(table.position(ofContent: offset))]
            for map in [headers, collector] {
                let entry = map[try #require(map.position(ofContent: offset))]
                #expect(entry.content.lowerBound <= own.content.lowerBound)
                #expect(entry.content.upperBound >= own.content.upperBound)
                #expect(entry.input.lowerBound <= own.input.lowerBound)
                #expect(entry.input.upperBound >= own.input.upperBound)
            }
        }
    }

    @Test func `a table of which any number is another is not credible, for a range and for a list`() async throws {
        let believed = try await within {
            var compression = Compression(CompressionOptions(level: 1, frameSize: 1 << 16))
            var believed: [String] = []
            for framing in [Compression.Framing.independent, .lines()] {
                compression.framing = framing
                let file = try Job(compression).output(of: Self.content)
                let original = try NamelessFile(file)
                let (table, _) = try #require(try CompressedInput(Source(original.descriptor)).seekTable())
                #expect(try original.content == file)
                for (index, entry) in table.entries.enumerated() where entry.decompressedSize > 0 {
                    var changed = SeekTable(hasChecksums: true)
                    for (other, entry) in table.entries.enumerated() {
                        var entry = entry
                        if other == index { entry.decompressedSize ^= 1 }
                        changed.append(entry)
                    }
                    let bytes = file.dropLast(changed.encoded.count) + changed.encoded
                    let other = try NamelessFile(Array(bytes))
                    let damaged = try Source(other.descriptor)
                    switch try FrameSearch(source: damaged).tableIndex(reaching: .max, for: []) {
                    case .credible, .none: believed.append("range \(index)")
                    case .wrong: break
                    }
                    if try Listing(bySeekTableOf: damaged) != nil { believed.append("list \(index)") }
                    #expect(try other.content.count == file.count)
                }
            }
            return believed
        }
        #expect(believed == [])
    }
}
