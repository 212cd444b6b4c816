/// What is found in a file, in order.
package enum RecoveryResult {
    /// A frame that is whole, judging by its blocks and the bytes after them.
    case held(TriedFrame)
    /// A frame that was decoded once, and is decoded again in segments, since content that was written can't be taken
    /// back.
    case streamed(Range<UInt64>, contentSize: UInt64, isCut: Bool)
    case lost(Range<UInt64>, LossSize, String)
}

package enum FrameVerdict {
    /// The frame ends where the range does, and its checksum, if any, is right. Has the bytes of content.
    case whole(UInt64)
    /// The range ends before the frame does. Has the bytes of content up to there.
    case cut(UInt64)
    case failed(String)
}
