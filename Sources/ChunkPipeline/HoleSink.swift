package import ByteStreams

/// Turns long runs of zeros into holes of the output.
package final class HoleSink: SurroundingSink {
    package let inner: any ContentSink

    package init(_ inner: any ContentSink) { self.inner = inner }

    package func write(_ frame: consuming ChunkResult) throws(Failure) {
        guard let last = frame.holes.last else { return try inner.write(frame) }
        // The data between holes is written in parts that share memory and lease. The last part carries the sizes of
        // the frame; a hole at its end comes after it, as a result without bytes.
        let (bytes, end) = (frame.bytes, frame.bytes.count)
        var position = 0
        for hole in frame.holes where hole != last || hole.upperBound < end {
            var data = ChunkResult(bytes: bytes.slice(position..<hole.lowerBound), sourceSize: 0, lease: frame.lease)
            (data.gapBefore, data.isContinued) = (frame.gapBefore, true)
            try inner.write(data)
            frame.gapBefore = UInt64(hole.count)
            position = hole.upperBound
        }
        let hole = last.upperBound == end ? last : end..<end
        frame.bytes = bytes.slice(position..<hole.lowerBound)
        frame.holes = []
        try inner.write(frame)
        if hole.isEmpty { return }
        var trailing = ChunkResult(bytes: Bytes(), sourceSize: 0)
        trailing.gapBefore = UInt64(hole.count)
        try inner.write(trailing)
    }
}
