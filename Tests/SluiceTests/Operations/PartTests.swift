import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// A file is a part if it ends in a trailer, and its frames are those of the trailer.
@Suite(.timeLimit(.minutes(4)))
struct PartTests {
    /// Of 41 frames.
    static let content = sample(40 * 4096 + 100)

    @Test(arguments: [1, 2, 7, 41, 50], [(true, true), (false, true), (true, false)])
    func `parts share the content, and each tells which it is`(
        count: Int, has: (checksum: Bool, contentSize: Bool)
    ) async throws {
        let parts = try await within {
            var options = CompressionOptions(level: 1, frameSize: 4096, hasChecksum: has.checksum)
            options.hasContentSize = has.contentSize
            return try PartedContent(content: Self.content, count: count, options: options).parts().map { try Part($0) }
        }
        #expect(parts.map(\.share) == PartedContent(content: [], count: count).shares)
        #expect(parts.reduce(0) { $0 + $1.contentSize } == UInt64(Self.content.count))
        let sizes = parts.map(\.contentSize)
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 4096)
    }

    @Test func `a part is recognised as the same of a file, until that is another`() async throws {
        let found = try await within {
            let source = try NamelessFile(Self.content)
            let sink = try NamelessFile()
            let share = try #require(PartNumber(2, of: 3))
            let job = Job(PartCompression(share, Compression(CompressionOptions(level: 1))))
            _ = try job.finished(from: source.descriptor, to: sink.descriptor)
            let part = try Part(sink.content)
            let before = part.isSame(as: share, of: try FileIdentity(source.descriptor))
            let other = part.isSame(as: try #require(PartNumber(1, of: 3)), of: try FileIdentity(source.descriptor))
            try source.descriptor.resize(to: 10)
            return [before, other, part.isSame(as: share, of: try FileIdentity(source.descriptor))]
        }
        #expect(found == [true, false, false])
    }

    @Test func `a part that is cut anywhere, or goes on behind its trailer, is none`() async throws {
        let wrong = try await within {
            let part = try PartedContent(content: sample(3 * 4096), count: 2).parts()[0]
            let cuts = (0..<part.count).map { Array(part[..<$0]) } + [part + [0], part + part.suffix(1)]
            return cuts.filter { refusal(of: $0) != .part(.noTrailer, "part") }.map(\.count)
        }
        #expect(wrong == [])
    }

    @Test func `a trailer of which any bit is another is none`() async throws {
        let accepted = try await within {
            let part = try PartedContent(content: sample(3 * 4096), count: 2).parts()[0]
            let trailer = part.count - (try Part(part)).trailer.encodedSize
            return (8 * trailer..<8 * part.count).filter { bit in
                var changed = part
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                return refusal(of: changed) == nil
            }
        }
        #expect(accepted == [])
    }

    @Test func `frames that are not those of the trailer are named by where they stand`() async throws {
        let (shorter, longer, others, offsets) = try await within {
            let part = try PartedContent(content: sample(3 * 4096), count: 1).parts()[0]
            let entries = try Part(part).trailer.entries
            let ends = entries.indices.map { entries[...$0].reduce(0) { $0 + Int($1.compressedSize) } }
            // The last byte of each is one of its checksum, and the first one of the next one's magic number.
            let others = ends.map { end in
                var changed = part
                changed[end - 1] ^= 1
                return refusal(of: changed)
            }
            return (refusal(of: Array(part.dropFirst())), refusal(of: [0] + part), others, [0] + ends.dropLast())
        }
        for failure in [shorter, longer] {
            guard case .otherSize(let expected, let actual)? = failure?.cause as? PartFlaw else {
                Issue.record("\(String(describing: failure))")
                continue
            }
            #expect(expected != actual)
        }
        #expect(others == offsets.map { .part(.otherFrame(offset: UInt64($0)), "part") })
    }
}

/// Why a file with these bytes is no part; nil if it is one.
private func refusal(of bytes: [UInt8]) -> Failure? {
    do { _ = try Part(bytes) } catch { return error as? Failure }
    return nil
}
