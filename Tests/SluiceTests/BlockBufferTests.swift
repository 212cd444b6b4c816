import TestSupport
import Testing

@testable import Sluice

struct BlockBufferTests {
    static let size = BlockBuffer.blockSize

    @Test(arguments: [0, 1, size - 1, size, size + 1, 3 * size + 5], [1000, size / 2, size, 4 * size])
    func `blocks and rest are what was appended, in order`(count: Int, piece: Int) throws {
        var buffer = BlockBuffer()
        let content = sample(count)
        var seen: [UInt8] = []
        for start in stride(from: 0, to: count, by: piece) {
            let bytes = Bytes(Array(content[start..<min(count, start + piece)]), regions: 777)
            for block in try buffer.append(bytes) {
                #expect(block.count == Self.size)
                seen += block.elements
            }
            #expect(seen.count == min(count, start + piece) / Self.size * Self.size)
        }
        seen += buffer.takeRest().elements
        #expect(seen == content)
        #expect(buffer.takeRest().isEmpty)
    }

    @Test func `a block is one region, at the beginning of a page`() throws {
        var buffer = BlockBuffer()
        for block in try buffer.append(Bytes(sample(5 * Self.size), regions: 100_000)) {
            let address = try block.withOnlyRegion { UInt(bitPattern: $0.baseAddress) }?.get()
            #expect(address.map { $0 % UInt(BlockBuffer.alignment) } == 0)
        }
    }
}
