import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Parts are a set if they are all those of one file, made in one way.
@Suite(.timeLimit(.minutes(4)))
struct PartSetTests {
    static let content = sample(6 * 4096)

    /// The parts of a content, each with a letter for a name.
    private static func parts(_ content: PartedContent) async throws -> [Part] {
        try await within {
            try content.parts().enumerated().map {
                try Part($1, named: FilePath(String("abcdefg".dropFirst($0).prefix(1))))
            }
        }
    }

    @Test func `parts in any order are put into theirs`() async throws {
        let parts = try await Self.parts(PartedContent(content: Self.content, count: 4))
        for step in 1..<4 {
            let order = parts.indices.map { parts[($0 * 3 + step) % 4] }
            #expect(try PartSet(order).parts.map(\.name) == ["a", "b", "c", "d"])
        }
    }

    @Test func `those that are missing are told, and one that is there twice`() async throws {
        let parts = try await Self.parts(PartedContent(content: Self.content, count: 4))
        #expect(throws: Failure.missingParts([1], of: 1)) { try PartSet([]) }
        #expect(throws: Failure.missingParts([2, 4], of: 4)) { try PartSet([parts[2], parts[0]]) }
        let again = try await Self.parts(PartedContent(content: Self.content, count: 4))
        // Another file, though it has the same content: it has another time.
        #expect(throws: Failure.part(.unlike("a", .source), "b")) { try PartSet([parts[0], again[1]]) }
        #expect(throws: Failure.part(.double(parts[1].share, "b"), "b")) { try PartSet(parts + [parts[1]]) }
    }

    @Test func `a part of another number of parts is told`() async throws {
        let (two, three) = try await within {
            // Of one file, so that the number is all that differs.
            let options = CompressionOptions(level: 1, frameSize: 4096)
            let source = try NamelessFile(Self.content)
            let made = try [2, 3].map { count in
                let sink = try NamelessFile()
                try source.descriptor.seek(offset: 0, from: .start)
                let share = try #require(PartNumber(1, of: count))
                _ = try Job(PartCompression(share, Compression(options))).finished(
                    from: source.descriptor, to: sink.descriptor)
                return try Part(sink.content, named: FilePath("\(count)"))
            }
            return (made[0], made[1])
        }
        #expect(throws: Failure.part(.unlike("2", .count), "3")) { try PartSet([two, three]) }
    }

    static let differences: [(PartFlaw.Difference, @Sendable (inout CompressionOptions) -> Void)] = [
        (.level, { $0.level = 2 }), (.frameSize, { $0.frameSize = 8192 }), (.options, { $0.hasChecksum = false }),
        (.options, { $0.alignment = 1 << 20 }), (.options, { $0.parameters[.minMatch] = 5 }),
    ]

    @Test(arguments: differences.indices)
    func `parts that were made in another way are told with what differs`(index: Int) async throws {
        let (difference, change) = Self.differences[index]
        let parts = try await within {
            let source = try NamelessFile(Self.content)
            return try (1...2).map { number in
                let sink = try NamelessFile()
                try source.descriptor.seek(offset: 0, from: .start)
                var options = CompressionOptions(level: 1, frameSize: 4096)
                if number == 2 { change(&options) }
                let share = try #require(PartNumber(number, of: 2))
                _ = try Job(PartCompression(share, Compression(options))).finished(
                    from: source.descriptor, to: sink.descriptor)
                return try Part(sink.content, named: FilePath("\(number)"))
            }
        }
        #expect(throws: Failure.part(.unlike("1", difference), "2")) { try PartSet(parts) }
    }
}
