import NIOCore
import Sluice

extension Compression {
    /// Appends the frames of a buffer to another one. Nothing is copied.
    func compress(_ content: ByteBuffer, into frames: inout ByteBuffer) throws(Failure) {
        let bound = Compression.bound(of: content.readableBytes)
        try frames.writeWithOutputRawSpan(minimumWritableBytes: bound) { memory throws(Failure) in
            try compress(content.readableBytesSpan, into: &memory)
        }
    }
}

extension Decompression {
    /// Appends the content of frames to a buffer. Nothing is copied.
    ///
    /// - Parameter limit: the most bytes of the content.
    func decompress(_ frames: ByteBuffer, into content: inout ByteBuffer, limit: Int) throws(Failure) {
        let bound = min(try bound(of: frames.readableBytesSpan), limit)
        try content.writeWithOutputRawSpan(minimumWritableBytes: bound) { memory throws(Failure) in
            try decompress(frames.readableBytesSpan, into: &memory)
        }
    }
}
