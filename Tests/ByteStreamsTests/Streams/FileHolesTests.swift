import StreamTestSupport
import SystemPackage
import Testing

@testable import ByteStreams

/// What has no data on the disk is not read, and is zeros all the same.
@Suite(.timeLimit(.minutes(4)))
struct FileHolesTests {
    static let mebibyte = 1 << 20

    @Test func `a hole is where no data is, up to the end of the file`() throws {
        let (descriptor, _) = try sparseFile(10 * Self.mebibyte, dataAt: [4 * Self.mebibyte])
        defer { try? descriptor.close() }
        try descriptor.seek(offset: 0, from: .start)
        var holes = try #require(try FileHoles(Source(descriptor)))
        let ranges = [0..<4, 4..<5, 5..<10].map { UInt64($0.lowerBound << 20)..<UInt64($0.upperBound << 20) }
        #expect(ranges.map { holes.contain($0) } == [true, false, true])
        let beyond = holes.contain(0..<UInt64(4 * Self.mebibyte + 1))
        #expect(!beyond)
    }

    @Test func `a file without holes is asked nothing`() throws {
        let file = try NamelessFile(sample(100_000))
        try file.descriptor.seek(offset: 0, from: .start)
        #expect(try FileHoles(Source(file.descriptor)) == nil)
    }
}
