import ForeignCodec
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

@Suite(.timeLimit(.minutes(4)))
struct ForeignFormatTests {
    private static let content = sample(100_000)
    private static let formats = [ForeignFormat.gzip, .xz, .lzma, .lz4]

    /// Its own frames, with header and table, and a member of each format.
    private static func pieces() throws -> [[UInt8]] {
        let own = try Job.compress().output(of: content)
        return [own, try frame(content)] + formats.map { member(content, in: $0) }
    }

    @Test(arguments: [1, 4])
    func `any format may follow any other`(threads: Int) async throws {
        let outcomes = try await within {
            let pieces = try Self.pieces()
            return try pieces.flatMap { first in
                try pieces.map { second in
                    try Job.decompress(threads: threads).outcome(of: first + second + second + first)
                }
            }
        }
        for outcome in outcomes {
            #expect(outcome.failure == nil)
            #expect(outcome.bytes.isSame(as: Self.content + Self.content + Self.content + Self.content))
            #expect(outcome.summary?.contentSize == 4 * Self.content.count)
        }
    }

    @Test(arguments: [[1], [3, 70_000], [1 << 20]])
    func `it does not matter how the input comes`(pieces: [Int]) async throws {
        let outcome = try await within {
            let input = member(Self.content, in: .gzip) + (try frame(sample(100))) + member(sample(99), in: .xz)
            return try Job.decompress().outcomeThroughPipes(of: input, pieces: pieces)
        }
        #expect(outcome.failure == nil)
        #expect(outcome.bytes.isSame(as: Self.content + sample(100) + sample(99)))
    }

    @Test(arguments: formats)
    func `what is cut is an error that says where, and the content before it is there`(
        format: ForeignFormat
    ) async throws {
        let (outcomes, counts) = try await within {
            let first = try frame(sample(100))
            let bytes = first + member(sample(200), in: format)
            let counts = Array(stride(from: first.count + 4, to: bytes.count, by: 7))
            return (try counts.map { try Job.decompress(threads: 1).outcome(of: Array(bytes[..<$0])) }, counts)
        }
        for (outcome, count) in zip(outcomes, counts) {
            #expect(outcome.failure == .foreign(.truncated(format, offset: UInt64(count))))
            #expect((sample(100) + sample(200)).starts(with: outcome.bytes))
            #expect(outcome.bytes.count >= 100)
        }
    }

    @Test(arguments: formats)
    func `bytes after the end are an error, and the content before them is there`(format: ForeignFormat) async throws {
        let (outcomes, size) = try await within {
            let bytes = member(Self.content, in: format)
            let trailers: [[UInt8]] = [[1], [1, 2, 3, 4], Array("BZh9".utf8)]
            return (try trailers.map { try Job.decompress().outcome(of: bytes + $0) }, UInt64(bytes.count))
        }
        for outcome in outcomes {
            #expect(outcome.failure == .foreign(.trailingBytes(format, offset: size)))
            #expect(outcome.bytes.isSame(as: Self.content))
        }
    }

    @Test func `a table that is announced must be there before another format begins, and after it`() async throws {
        let (before, after, size) = try await within {
            let own = try Job.compress().output(of: Self.content)
            let cut = Array(own.dropLast(17 + 3 * 12))
            let foreign = member(Self.content, in: .gzip)
            return (
                try Job.decompress().outcome(of: cut + foreign), try Job.decompress().outcome(of: foreign + cut),
                (cut.count, foreign.count + cut.count)
            )
        }
        #expect(before.failure == .codec(.missingSeekTable(offset: UInt64(size.0))))
        #expect(after.failure == .codec(.missingSeekTable(offset: UInt64(size.1))))
    }

    @Test func `a frame after another format is refused for its window`() async throws {
        let (outcome, offset) = try await within {
            let foreign = member(Self.content, in: .lz4)
            // RFC 8878, 3.1.1.1.2: a window of 4 GiB.
            let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 22 << 3, 1, 0, 0]
            return (try Job.decompress().outcome(of: foreign + frame), UInt64(foreign.count))
        }
        #expect(outcome.failure == .codec(.windowTooLarge(bytes: 1 << 32, limit: 1 << 27, offset: offset)))
        #expect(outcome.bytes.isSame(as: Self.content))
    }

    @Test func `what is known but not read is named`() async throws {
        let outcome = try await within { try Job.decompress().outcome(of: Array("BZh91AY&SY".utf8)) }
        #expect(outcome.failure == .foreign(.notRead(.bzip2)))
    }

    @Test func `only what is in no format that is read passes as it is`() async throws {
        let (passed, decoded) = try await within {
            var decompression = Decompression()
            decompression.passesForeign = true
            let job = Job(decompression)
            return (try job.output(of: Array("plain".utf8)), try job.output(of: member(Self.content, in: .gzip)))
        }
        #expect(passed == Array("plain".utf8))
        #expect(decoded.isSame(as: Self.content))
    }
}
