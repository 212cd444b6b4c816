internal import Dispatch

/// The time that one stage of a run took for one read, chunk, frame or write.
package struct Span: Sendable {
    package enum Stage: Int, CaseIterable, Sendable {
        /// Reading input, from the request to its arrival; with a `lane` if a worker read it itself.
        case read
        /// The reader waited for a slot.
        case slot
        /// A worker waited for a chunk.
        case idle
        /// A worker compressed, decompressed or copied.
        case work
        /// A thread decoded a batch of a large frame's blocks. It has a `lane` if it is not the worker that has the
        /// frame: the `work` of that one goes on meanwhile.
        case blocks
        /// A frame waited for the frames before it.
        case order
        /// Writing a frame, from the request to its end; with a `lane` if a worker wrote it itself.
        case write
        /// Flushing the output file to the disk, and giving it its name.
        case sync
        /// Giving the output file its name, where it is not flushed.
        case name
        /// As many slots were in use as the span has `bytes`.
        case slots
    }

    package let stage: Stage
    /// The number of the worker; nil for other threads.
    package var lane: Int?
    /// Bytes of the stage's result.
    package var bytes = 0
    /// For `work`, `blocks` and `order`, the bytes of input that the result was made from; else 0.
    package var source = 0
    /// Nanoseconds of the monotonic clock, like `end`.
    package let start: UInt64
    package let end: UInt64

    /// A span that ends now, unless another time is given.
    package init(
        stage: Stage, lane: Int? = nil, bytes: Int = 0, source: Int = 0, start: UInt64, end: UInt64 = Span.now()
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

/// Receives spans on the run's own threads: it must be quick, and must not wait.
package typealias SpanObserver = @Sendable (Span) -> Void
