package import ByteStreams
package import ChunkPipeline
internal import Synchronization
package import ZstdCodec

/// Decodes one frame at a time on several cores (docs/decisions/two-stages.md).
package final class StagedFrameThreads: Sendable {
    /// Frames smaller than this are usually many, and each has its own core.
    package static let smallestContent: UInt64 = 8 << 20

    /// Starts a thread; returns false if none is available.
    package typealias Start = @Sendable (_ work: @escaping @Sendable () -> Void) -> Bool

    /// Reads a range of the input once more.
    package typealias Reread = @Sendable (_ range: Range<UInt64>) throws(Failure) -> [UInt8]

    /// The size of the input in bytes; nil if unknown.
    private let inputSize: UInt64?
    /// The number of threads besides the one that owns the frame.
    private let helpers: Int
    private let start: Start
    private let smallest: UInt64
    let latch: FailureLatch
    let reread: Reread?
    let monitor: Monitor?
    private let isTaken = Atomic(false)

    /// Nil if there are no other threads.
    ///
    /// - Parameters:
    ///   - smallest: frames with less content than this, in bytes, are left to libzstd.
    ///   - reread: nil if the input comes only once.
    ///   - latch: ends waiting for memory when the run fails.
    package init?(
        inputSize: UInt64? = nil, workers: Int, smallest: UInt64 = smallestContent,
        reread: Reread? = nil, latch: FailureLatch, monitor: Monitor? = nil,
        start: @escaping Start = { (try? startThread(isSpare: true, $0)) != nil }
    ) {
        guard workers > 1 else { return nil }
        (self.inputSize, helpers, self.smallest, self.start) = (inputSize, workers - 1, smallest, start)
        (self.reread, self.latch, self.monitor) = (reread, latch, monitor)
    }

    /// Starts to decode a frame, if that is worthwhile and no other frame is using the threads.
    ///
    /// - Parameter offset: the start of the frame in the input.
    /// - Returns: nil if the frame is left to libzstd.
    package func begin(_ header: FrameHeader, at offset: UInt64) -> StagedFrame? {
        guard header.hasChecksum, header.dictionaryIdentifier == 0 else { return nil }
        // A frame without a content size is large if the rest of the input is, or may be.
        let rest = inputSize.map { $0 - min($0, offset) } ?? .max
        guard header.contentSize ?? rest > smallest else { return nil }
        guard !isTaken.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
        if let frame = StagedFrame(header, at: offset, for: self) { return frame }
        end()
        return nil
    }

    /// Starts as many helpers as threads are available.
    ///
    /// - Parameter help: receives the number of its thread among those that decode the frame; 0 is the thread that owns
    ///   it.
    /// - Returns: whether any helper was started.
    func startHelpers(_ help: @escaping @Sendable (_ lane: Int) -> Void) -> Bool {
        let started = (1...helpers).prefix { lane in start { help(lane) } }
        return !started.isEmpty
    }

    func end() { isTaken.store(false, ordering: .releasing) }
}
