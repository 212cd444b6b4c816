internal import ByteStreams
internal import ZstdCodec

/// A walk from block header to block header of a frame.
struct FrameWalk {
    enum Ending {
        /// At the frame's end.
        case whole
        /// At the end of the file.
        case cut
        /// At bytes that are no block, or no frame.
        case flawed(CodecFailure)
    }

    let frame: FrameScanner.Frame
    let ending: Ending
    /// Where the walk ends in the file.
    let end: UInt64

    var input: Range<UInt64> { frame.offset..<end }
    var isWhole: Bool { if case .whole = ending { true } else { false } }
    var isSeekTable: Bool { if case .seekTable = frame.annotation { true } else { false } }

    /// Walks from an offset of the file on.
    init(from start: UInt64, in window: FileWindow) throws(Failure) {
        let file = window.file
        var scanner = FrameScanner(offset: start)
        while scanner.offset < file.size {
            let bytes = try window.bytes(at: scanner.offset, atLeast: 32)
            do throws(CodecFailure) {
                var (_, ended) = try scanner.scan(bytes)
                if ended == nil {
                    ended = scanner.skip(min(scanner.bytesToSkip, file.size - scanner.offset))
                }
                guard let ended else { continue }
                (frame, ending, end) = (ended, .whole, scanner.offset)
                return
            } catch {
                (frame, ending) = (scanner.current ?? FrameScanner.Frame(offset: start), .flawed(error))
                end = min(file.size, max(start, scanner.offset))
                return
            }
        }
        (frame, ending, end) = (scanner.current ?? FrameScanner.Frame(offset: start), .cut, file.size)
    }

    /// The content size in the frame's header; nil if there is none, or that many bytes can't hold it.
    func contentSize(in inputSize: UInt64) -> UInt64? {
        guard let size = frame.header?.contentSize else { return nil }
        if isWhole { return size <= frame.blockBound ? size : nil }
        // A block has at most 128 KiB, and takes at least four bytes.
        let (most, overflow) = (inputSize / 4 + 1).multipliedReportingOverflow(by: 128 << 10)
        return overflow || size <= most ? size : nil
    }
}
