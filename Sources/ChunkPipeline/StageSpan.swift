internal import Dispatch

/// The time that one stage of a run took for one read, chunk, frame or write.
package struct StageSpan: Sendable {
    package enum Stage: Int, CaseIterable, Sendable {
        /// Reading input, from the request to the arrival; has a `lane` if a worker read it itself.
        case read
        /// The reader waited for a slot.
        case slot
        /// A worker waited for a chunk.
        case idle
        /// A worker compressed, decompressed or copied.
        case work
        /// A thread decoded a batch of a large frame's blocks. It has no `lane` if that thread is the worker that has
        /// the frame, whose `work` goes on at the same time.
        case blocks
        /// A frame waited for the frames before it.
        case order
        /// Writing a frame, from the request to the end; has a `lane` if a worker wrote it itself.
        case write
        /// Syncing the output file and giving it its name.
        case sync
        /// Giving the output file its name without syncing it.
        case name
        /// Sending a part of an object to its store, from the request to the answer.
        case upload
        /// Slots were in use, as many as `bytes` says.
        case slots
    }

    package let stage: Stage
    /// The number of the worker; nil for other threads.
    package var lane: Int?
    /// The size of the stage's result, in bytes.
    package var bytes = 0
    /// For `work`, `blocks` and `order`, the number of input bytes that the result was made from; for `upload`, how
    /// often the part was sent in vain; otherwise 0.
    package var source = 0
    /// Nanoseconds of the monotonic clock, like `end`.
    package let start: UInt64
    package let end: UInt64

    /// A span that ends now, unless another time is given.
    package init(
        stage: Stage, lane: Int? = nil, bytes: Int = 0, source: Int = 0, start: UInt64, end: UInt64 = StageSpan.now()
    ) {
        self.stage = stage
        self.lane = lane
        self.bytes = bytes
        self.source = source
        self.start = start
        self.end = end
    }

    /// The monotonic clock, in nanoseconds.
    package static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}

/// Receives spans on the thread that reports them, also one of Dispatch's, so it must be quick and must not wait.
package typealias SpanObserver = @Sendable (StageSpan) -> Void
