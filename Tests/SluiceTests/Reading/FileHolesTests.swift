import SystemPackage
import TestSupport
import Testing

@testable import Sluice

/// What has no data on the disk is not read, and is zeros all the same.
@Suite(.timeLimit(.minutes(1)))
struct FileHolesTests {
    static let mebibyte = 1 << 20

    /// A file of `size` bytes with data at some offsets, and its whole content.
    private func sparse(_ size: Int, dataAt offsets: [Int]) throws -> (FileDescriptor, [UInt8]) {
        let file = try NamelessFile()
        let descriptor = try file.descriptor.duplicate()
        try descriptor.resize(to: Int64(size))
        var content = [UInt8](repeating: 0, count: size)
        for offset in offsets {
            let data = sample(min(100_000, size - offset), seed: UInt64(offset + 1))
            _ = try descriptor.writeAll(toAbsoluteOffset: Int64(offset), data)
            content.replaceSubrange(offset..<offset + data.count, with: data)
        }
        return (descriptor, content)
    }

    @Test func `a hole is where no data is, up to the end of the file`() throws {
        let (descriptor, _) = try sparse(10 * Self.mebibyte, dataAt: [4 * Self.mebibyte])
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

    /// Holes at either end, of whole chunks and of parts of them, and nothing but a hole.
    @Test(arguments: [[], [0], [3 << 20, 5 << 20], [(12 << 20) + 17]])
    func `a sparse file becomes the frames that a file of zeros becomes`(offsets: [Int]) async throws {
        let outputs = try await within {
            let (descriptor, content) = try sparse((12 << 20) + 12_345, dataAt: offsets)
            defer { try? descriptor.close() }
            try descriptor.seek(offset: 0, from: .start)
            let sink = try NamelessFile()
            _ = try Job.compress().run(from: Source(descriptor), to: Sink(sink.descriptor))
            return (try sink.content, try Job.compress().output(of: content))
        }
        #expect(outputs.0.isSame(as: outputs.1))
    }
}
