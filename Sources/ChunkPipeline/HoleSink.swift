package import ByteStreams

/// Turns long runs of zeros into holes of the output.
package final class HoleSink: SurroundingSink {
    package let inner: any ContentSink

    package init(_ inner: any ContentSink) { self.inner = inner }

    package func write(_ piece: consuming Piece) throws(Failure) {
        var piece = piece
        guard let last = piece.holes.last else { return try inner.write(piece) }
        // The data between holes is written in parts that share memory and lease. The last part carries the sizes of
        // the piece; a hole at its end comes after it, as a piece without bytes.
        let (bytes, end) = (piece.bytes, piece.bytes.count)
        var position = 0
        for hole in piece.holes where hole != last || hole.upperBound < end {
            var data = Piece(bytes.slice(position..<hole.lowerBound), lease: piece.lease)
            (data.gapBefore, data.isContinued) = (piece.gapBefore, true)
            try inner.write(data)
            piece.gapBefore = UInt64(hole.count)
            position = hole.upperBound
        }
        let hole = last.upperBound == end ? last : end..<end
        piece.bytes = bytes.slice(position..<hole.lowerBound)
        piece.holes = []
        try inner.write(piece)
        if hole.isEmpty { return }
        var trailing = Piece(Bytes())
        trailing.gapBefore = UInt64(hole.count)
        try inner.write(trailing)
    }
}
