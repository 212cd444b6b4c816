internal import Dispatch

/// A stretch of time that one stage of a run took for one piece of data.
package struct Span: Sendable {
    /// What took the time.
    package enum Stage: Int, CaseIterable, Sendable {
        /// A part of the input, from when it was asked for until it came; with a `lane` if a worker read it itself.
        case read
        /// The reader, waiting for a slot.
        case slot
        /// A worker, waiting for a chunk.
        case idle
        /// A worker, compressing, decompressing or copying.
        case work
        /// A frame, waiting for the frames before it.
        case order
        /// A frame, from when its writing was asked for until it was done; with a `lane` if a worker wrote it itself.
        case write
        /// The output file, being flushed to the disk.
        case sync
        /// As many slots in use as the span has `bytes`.
        case slots
    }

    /// What took the time.
    package let stage: Stage
    /// The worker's number; nil for who is none.
    package var lane: Int?
    /// Bytes of the stage's result.
    package var bytes = 0
    /// For `work` and `order`, the bytes of the input that they became; else 0.
    package var source = 0
    /// Nanoseconds of the monotonic clock.
    package let start: UInt64
    /// Nanoseconds of the monotonic clock.
    package let end: UInt64

    /// - Parameters:
    ///   - lane: the worker's number.
    ///   - bytes: of the result.
    ///   - source: bytes of the input that they became.
    ///   - start: nanoseconds of the monotonic clock, as `end`.
    package init(stage: Stage, lane: Int? = nil, bytes: Int = 0, source: Int = 0, start: UInt64, end: UInt64) {
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

/// What wants to know how a run goes. Called on the run's own threads: it must be quick, and must not wait.
package typealias SpanObserver = @Sendable (Span) -> Void
