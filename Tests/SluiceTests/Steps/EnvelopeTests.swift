import Testing
import ZstdCodec

@testable import Parity
@testable import SluiceEngine

/// What a stream has besides its frames.
struct EnvelopeTests {
    static func frame(_ count: Int) -> ChunkResult {
        ChunkResult(bytes: Bytes([UInt8](repeating: 7, count: count)), sourceSize: 10 * count, checksum: 99)
    }

    @Test func `one frame is all there is of a stream of one`() throws {
        var envelope = StreamEnvelope(CompressionOptions(level: 1))
        #expect(envelope.trailer() == [])
        #expect(try envelope.append(Self.frame(5)) == [])
        #expect(envelope.trailer() == [])
    }

    @Test(arguments: [true, false])
    func `the header goes in front of the second frame, and says whether the stream may end anywhere`(isLive: Bool)
        throws
    {
        var envelope = StreamEnvelope(CompressionOptions(level: 1, frameSize: 4096), mayEndAnywhere: isLive)
        _ = try envelope.append(Self.frame(5))
        let header = StreamHeader(frameSize: 4096, level: 1, mayEndAnywhere: isLive)
        #expect(try envelope.append(Self.frame(6)) == header.encoded)
        #expect(try envelope.append(Self.frame(7)) == [])
    }

    @Test func `nothing changes with results that are empty, wherever they come`() throws {
        var shape = ParityEncoder.Shape()
        (shape.keptSize, shape.firstBlockSize, shape.blockSize, shape.groups) = (100, 64, 64, 1)
        func stream(_ counts: [Int]) throws -> [UInt8] {
            var envelope = ParityEnvelope(around: nil, ParityShare(percent: 20), shape)
            var bytes: [UInt8] = []
            for count in counts {
                let frame = Self.frame(count)
                bytes += try envelope.append(frame) + Array(repeating: 7, count: count)
            }
            return try bytes + envelope.trailer()
        }
        let whole = try stream([12_000, 5000, 20_000])
        #expect(whole.count > 37_000)
        #expect(try stream([12_000, 0, 5000, 0, 0, 20_000, 0]) == whole)
    }

    @Test(arguments: 2...5, [true, false])
    func `the table lists every frame, and the header among them`(count: Int, hasChecksum: Bool) throws {
        var envelope = StreamEnvelope(CompressionOptions(level: 1, hasChecksum: hasChecksum))
        for index in 1...count { _ = try envelope.append(Self.frame(index)) }
        let trailer = envelope.trailer()
        let parsed = SeekTable(trailer.span.bytes)
        let table = try #require(parsed)
        #expect(table.hasChecksums == hasChecksum)
        #expect(table.entries.map(\.compressedSize) == [1, 24] + (2...count).map { UInt32($0) })
        #expect(table.entries.map(\.decompressedSize) == [10, 0] + (2...count).map { UInt32(10 * $0) })
        #expect(envelope.memory >= envelope.trailer().count)
    }
}
