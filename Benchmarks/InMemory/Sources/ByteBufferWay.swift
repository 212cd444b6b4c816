import NIOCore
import Sluice

/// swift-nio's `ByteBuffer` on both sides.
final class ByteBufferWay: Way {
    private let contents: [ByteBuffer]
    private let (compression, decompression) = (Compression(level: 3), Decompression())
    private var (frame, content) = (ByteBuffer(), ByteBuffer())
    private let size: Int

    init(_ contents: [[UInt8]]) {
        self.contents = contents.map { ByteBuffer(bytes: $0) }
        size = contents[0].count
    }

    func compress(_ number: Int) throws {
        frame.clear()
        let content = contents[number]
        try frame.writeWithOutputRawSpan(minimumWritableBytes: Compression.bound(of: size)) { memory throws(Failure) in
            try compression.compress(content.readableBytesSpan, into: &memory)
        }
    }

    func decompress() throws {
        content.clear()
        let frame = frame
        try content.writeWithOutputRawSpan(minimumWritableBytes: size) { memory throws(Failure) in
            try decompression.decompress(frame.readableBytesSpan, into: &memory)
        }
    }

    func has(_ content: [UInt8]) -> Bool { self.content.readableBytesView.elementsEqual(content) }
}
