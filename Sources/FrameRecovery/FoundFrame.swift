internal import ByteStreams
internal import ZstdCodec

/// A frame found in a damaged file, followed from block header to block header as far as they are valid.
struct FoundFrame {
    let frame: FrameScanner.Frame
    let ending: WalkedFrame.Ending
    /// Where the walk ends in the file.
    let end: UInt64

    var input: Range<UInt64> { frame.offset..<end }
    var isWhole: Bool { if case .whole = ending { true } else { false } }

    /// Walks over what begins at an offset of the file.
    init(from start: UInt64, in window: FileWindow) throws(Failure) {
        var walk = FrameWalk(over: window, from: start)
        let step = try walk.next()
        frame = step?.frame ?? FrameScanner.Frame(offset: start)
        ending = step?.ending ?? .cut(.empty)
        end =
            switch ending {
            case .whole: walk.end
            case .cut: window.size
            case .flawed: min(window.size, max(start, walk.end))
            }
    }

    /// The content size in the frame's header; nil if there is none, or `inputSize` bytes can't hold that much.
    func contentSize(in inputSize: UInt64) -> UInt64? {
        guard let size = frame.header?.contentSize else { return nil }
        return size <= (isWhole ? frame.blockBound : FrameFormat.contentBound(ofInput: inputSize)) ? size : nil
    }
}
