package import ByteStreams
package import ZstdCodec

/// What the strict walk over a file's headers says: the same as for decompressing or testing the file. The content of
/// frames is left to the workers.
package struct FileVerdict {
    /// The most seek tables that are remembered.
    private static let mostTables = 1 << 16

    /// The first complaint; nil if there is none.
    package let failure: CodecFailure?
    /// The last whole frame that the walk met. Where nothing begins at its end, a damaged size of a block may have led
    /// past the frames after it.
    let last: Range<UInt64>
    /// The end of that frame.
    package var end: UInt64 { last.upperBound }
    /// The first seek tables that it met, and whether these are all.
    let tables: (places: [Range<UInt64>], areAll: Bool)
    /// Whether the stream at the end of the walk may have a seek table that was not met: its header, the second frame,
    /// announces one, or was not met either.
    let mayEndInTable: Bool

    /// Walks over a file up to its end, or to the first bytes that are not a frame.
    ///
    /// - Parameter visit: receives each frame.
    package init(
        of file: DamagedFile, _ limits: DecodingLimits, ignoresZeros: Bool,
        visit: (FrameScanner.Frame) throws(Failure) -> Void = { _ in }
    ) throws(Failure) {
        let window = try FileWindow(forWalkOver: file)
        var walk = StrictWalk(over: window, limits: limits, ignoresZeros: ignoresZeros)
        var (tables, stream, start) = ([Range<UInt64>](), StreamStart(), UInt64(0))
        while let frame = try walk.next() {
            stream.pass(frame)
            try visit(frame)
            start = frame.offset
            if frame.isSeekTable, tables.count < Self.mostTables { tables.append(frame.input) }
        }
        (failure, last, self.tables) = (
            walk.failure, min(start, walk.end)..<walk.end, (tables, tables.count < Self.mostTables)
        )
        mayEndInTable = stream.mayEndInTable
    }

    /// The offset up to which frames certainly follow one another. If the walk broke, the size of its last frame may be
    /// damaged.
    ///
    /// - Parameter size: that of the file in bytes.
    package func soundEnd(of size: UInt64) -> UInt64 { failure == nil ? size : last.lowerBound }
}

/// What the first frames of a stream say about its end.
struct StreamStart {
    private var isAnnounced = false
    /// Frames since the last seek table.
    private var count = 0

    var mayEndInTable: Bool { isAnnounced || count < 2 }

    mutating func pass(_ frame: FrameScanner.Frame) {
        count += 1
        switch frame.annotation {
        case .streamHeader(let header): isAnnounced = !header.mayEndAnywhere
        case .seekTable: self = StreamStart()
        case nil: break
        }
    }
}

extension FrameScanner.Frame {
    /// The bytes of a whole frame in the file.
    var input: Range<UInt64> { offset..<offset + compressedSize }
}
