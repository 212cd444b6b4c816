import TestSupport
import Testing

@testable import ZstdCodec

struct FrameIndexTests {
    @Test func `a byte is found in the frame that has it`() throws {
        var index = FrameIndex()
        for (input, content) in [(10, 100), (8, 0), (5, 50)] as [(UInt64, UInt64)] {
            try index.add(input, content)
        }
        #expect(index.position(ofContent: 99) == 0)
        // What has no content has no byte.
        #expect(index.position(ofContent: 100) == 2)
        #expect(index.position(ofContent: 150) == nil)
        #expect(index[2].input == 18..<23)
        #expect(index[2].content == 100..<150)
    }

    @Test func `sizes that no file has are refused`() throws {
        var index = FrameIndex()
        try index.add(1 << 62, 1)
        #expect(throws: (any Error).self) { try index.add(1 << 62, 1) }
        #expect(throws: (any Error).self) { try index.add(1, .max) }
        #expect(index.count == 1)
    }

    /// A file of tiny frames must not take more memory than it is worth.
    @Test func `very many small frames become fewer entries`() throws {
        var index = FrameIndex(joinsSmallFrames: true)
        let count = isLong ? 3_000_000 : 1_500_000
        for _ in 0..<count { try index.add(60_000, 60_000) }
        #expect(index.count <= 1 << 20)
        #expect(index.memory < 40 << 20)
        #expect(index.contentSize == UInt64(count) * 60_000)
        let middle = index.contentSize / 2
        let position = try #require(index.position(ofContent: middle))
        #expect(index[position].content.contains(middle))
    }

    @Test func `a table's frame of no bytes makes no index`() {
        var table = SeekTable(hasChecksums: false)
        table.append(.init(compressedSize: 0, decompressedSize: 5, checksum: 0))
        #expect(FrameIndex(table) == nil)
    }
}

private struct TooLarge: Error {}

extension FrameIndex {
    fileprivate mutating func add(_ inputSize: UInt64, _ contentSize: UInt64) throws {
        if !append(inputSize: inputSize, contentSize: contentSize) { throw TooLarge() }
    }
}
