internal import Dispatch
internal import Synchronization
internal import ZstdCodec

/// What a run needs to decode one frame on several cores (docs/decisions/two-stages.md): a file in which frames can be
/// read again if there is any doubt, and threads.
final class Stages: Sendable {
    /// Of smaller frames there are mostly many, and each has a core.
    static let smallestContent: UInt64 = 8 << 20

    let source: Source
    /// Threads beside the one that has the frame.
    let helpers: Int
    /// Bytes: what has less is left to libzstd.
    private let smallest: UInt64
    private let isTaken = Atomic(false)

    /// - Returns: nil if there is nobody to help, or what is read can't be read again.
    init?(_ source: Source, workers: Int, smallest: UInt64 = smallestContent) {
        guard workers > 1, source.isFile, source.size != nil else { return nil }
        (self.source, helpers, self.smallest) = (source, workers - 1, smallest)
    }

    /// The most bytes that it takes, but for windows.
    static let memory = StagedFrame.memory

    /// Begins to decode a frame, if it is worth it and no other one is decoded so.
    ///
    /// - Parameter offset: where the frame begins in the input.
    /// - Returns: nil if it is left to libzstd.
    func begin(_ header: FrameHeader, at offset: UInt64) -> StagedFrame? {
        guard header.hasChecksum, header.dictionaryIdentifier == 0, isLarge(header, at: offset) else { return nil }
        guard !isTaken.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
        if let frame = StagedFrame(header, in: self) { return frame }
        end()
        return nil
    }

    /// States that the frame is done.
    func end() { isTaken.store(false, ordering: .releasing) }

    /// What does not say how much it holds is large if so much of the file is left.
    private func isLarge(_ header: FrameHeader, at offset: UInt64) -> Bool {
        let size = source.size ?? 0
        return header.contentSize ?? (size - min(size, offset)) > smallest
    }
}
