internal import CStages

/// What the blocks of a frame have to know of those before them.
package struct BlockHistory {
    var finder = stages_finder()
    var history = stages_history()

    /// - Parameter header: of a frame that needs no dictionary.
    package init(_ header: FrameHeader) {
        finder.block_size = UInt32(header.blockLimit)
        history.window = header.windowSize
        // RFC 8878, 3.1.1.5: the offsets at the start of a frame.
        history.repeats = (1, 4, 8)
    }

    /// Bytes of the frame's content so far.
    package var produced: UInt64 { history.produced }
}
