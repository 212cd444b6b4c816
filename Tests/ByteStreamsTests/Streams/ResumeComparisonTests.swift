import StreamTestSupport
import SystemPackage
import Testing

@testable import ByteStreams

/// What an earlier run has left is compared, passed over, and cut where it is no longer the same.
@Suite(.timeLimit(.minutes(4)))
struct ResumeComparisonTests {
    private static let content = sample(700_000, seed: 5)

    /// Compares the content with what is there, in parts; returns how much was the same, and what is left of the file.
    private static func match(
        _ there: [UInt8], replacesOthers: Bool, partSize: Int = 99_999
    ) throws -> (same: Int, left: [UInt8]) {
        let file = try NamelessFile(there)
        var kept = ResumeComparison(file.descriptor, replacesOthers: replacesOthers)
        var same = 0
        for start in stride(from: 0, to: content.count, by: partSize) where !kept.isOver {
            same += try kept.match(Bytes(Array(content[start..<min(content.count, start + partSize)])))
        }
        if !kept.isOver { try kept.end() }
        return (same, try file.content)
    }

    @Test(arguments: [0, 1, 4096, 262_144, 300_000, 699_999, 700_000])
    func `what was cut is the same up to its end`(count: Int) throws {
        let there = Array(Self.content[..<count])
        let (same, left) = try Self.match(there, replacesOthers: false)
        #expect(same == count)
        #expect(left.isSame(as: there))
    }

    @Test func `what is behind the end is cut off`() throws {
        let (same, left) = try Self.match(Self.content + [1, 2, 3], replacesOthers: false)
        #expect(same == Self.content.count)
        #expect(left.isSame(as: Self.content))
    }

    @Test(arguments: [0, 262_143, 262_144, 500_000])
    func `zeros in place of other bytes are what the power took, and are cut off`(offset: Int) throws {
        var there = Self.content
        let first = try #require(there[offset...].firstIndex { $0 != 0 })
        for index in first..<min(there.count, first + 4096) { there[index] = 0 }
        let (same, left) = try Self.match(there, replacesOthers: false)
        #expect(same == first)
        #expect(left.isSame(as: Array(Self.content[..<first])))
    }

    @Test func `other bytes are another source's, and are replaced only on request`() throws {
        var there = Self.content
        there[123_456] = there[123_456] == 7 ? 8 : 7
        #expect(throws: Failure.otherSource(offset: 123_456)) { try Self.match(there, replacesOthers: false) }
        let (same, left) = try Self.match(there, replacesOthers: true)
        #expect(same == 123_456)
        #expect(left.isSame(as: Array(Self.content[..<123_456])))
    }
}
