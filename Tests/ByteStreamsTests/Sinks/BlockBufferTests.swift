import StreamTestSupport
import Testing

@testable import ByteStreams

struct BlockBufferTests {
    static let size = BlockBuffer.blockSize

    /// Takes blocks until there is none.
    static func takeAll(_ buffer: inout BlockBuffer, _ done: inout Int) throws -> [Bytes] {
        var blocks: [Bytes] = []
        while true {
            done += try buffer.fill().count
            guard buffer.isFull else { return blocks }
            blocks.append(buffer.take())
        }
    }

    @Test(arguments: [0, 1, size - 1, size, size + 1, 3 * size + 5], [1000, size / 2, size, 4 * size])
    func `blocks and rest are what was appended, in order`(count: Int, piece: Int) throws {
        var buffer = BlockBuffer()
        let content = sample(count)
        var seen: [UInt8] = []
        var (pieces, done) = (0, 0)
        for start in stride(from: 0, to: count, by: piece) {
            buffer.append(Bytes(Array(content[start..<min(count, start + piece)]), regions: 777)) {}
            pieces += 1
            for block in try Self.takeAll(&buffer, &done) {
                #expect(block.count == Self.size)
                seen += block.elements
            }
            // Nothing waits for a block that nothing fills.
            #expect(done == pieces)
            #expect(seen.count == min(count, start + piece) / Self.size * Self.size)
        }
        seen += buffer.take().elements
        #expect(seen == content)
        #expect(buffer.take().isEmpty)
    }

    @Test func `what does not fit into the block waits until it is taken, or is dropped`() throws {
        var buffer = BlockBuffer()
        for _ in 0..<5 { buffer.append(Bytes(sample(Self.size / 2 + 1))) {} }
        #expect(try buffer.fill().count == 1)
        #expect(try buffer.fill().count == 0)
        #expect(buffer.take().count == Self.size)
        #expect(try buffer.fill().count == 2)
        #expect(buffer.drop().count == 2)
    }

    @Test func `a block is one region, at the beginning of a page`() throws {
        var buffer = BlockBuffer()
        var done = 0
        buffer.append(Bytes(sample(5 * Self.size), regions: 100_000)) {}
        for block in try Self.takeAll(&buffer, &done) {
            let address = try block.withOnlyRegion { UInt(bitPattern: $0.baseAddress) }?.get()
            #expect(address.map { $0 % UInt(BlockBuffer.alignment) } == 0)
        }
    }
}
