internal import Dispatch
internal import Synchronization
internal import ZstdCodec

/// Decodes one frame at a time on several cores (docs/decisions/two-stages.md), with threads, and a file in which
/// frames can be read again if there is any doubt.
final class Stages: Sendable {
    /// Smaller frames are usually many, and each has a core.
    static let smallestContent: UInt64 = 8 << 20

    let source: Source
    /// Threads besides the one that has the frame.
    let helpers: Int
    private let smallest: UInt64
    private let isTaken = Atomic(false)

    /// Nil if there are no other threads, or the source can't be read again.
    ///
    /// - Parameter smallest: frames with less content are left to libzstd, in bytes.
    init?(_ source: Source, workers: Int, smallest: UInt64 = smallestContent) {
        guard workers > 1, source.isFile, source.size != nil else { return nil }
        (self.source, helpers, self.smallest) = (source, workers - 1, smallest)
    }

    /// The most bytes that it takes, without windows.
    static let memory = StagedFrame.memory

    /// Begins to decode a frame, if that is worthwhile and no other frame has the threads.
    ///
    /// - Parameter offset: where the frame begins in the input.
    /// - Returns: nil if the frame is left to libzstd.
    func begin(_ header: FrameHeader, at offset: UInt64) -> StagedFrame? {
        guard header.hasChecksum, header.dictionaryIdentifier == 0, isLarge(header, at: offset) else { return nil }
        guard !isTaken.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
        if let frame = StagedFrame(header, in: self) { return frame }
        end()
        return nil
    }

    func end() { isTaken.store(false, ordering: .releasing) }

    /// A frame without a content size is large if the rest of the file is.
    private func isLarge(_ header: FrameHeader, at offset: UInt64) -> Bool {
        let size = source.size ?? 0
        return header.contentSize ?? (size - min(size, offset)) > smallest
    }
}
