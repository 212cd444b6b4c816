internal import Synchronization

/// How far a run is, as a sequence that ends with it: one value each tenth of a second at most, and one at the end.
///
/// Who is slow misses some, and gets the newest. It is for one run, and for one who listens.
public final class RunProgress: AsyncSequence, Sendable {
    /// How far a run was at some time.
    public struct Totals: Equatable, Sendable {
        /// Bytes that were read.
        public var bytesIn: UInt64 = 0
        /// Bytes of the input whose results came in order.
        public var bytesDone: UInt64 = 0
        /// Bytes that they became.
        public var bytesMade: UInt64 = 0
        /// Bytes that were written.
        public var bytesOut: UInt64 = 0
    }

    /// Waits for the next value.
    public typealias AsyncIterator = AsyncStream<Totals>.Iterator

    /// Nanoseconds between values.
    private static let pause: UInt64 = 100_000_000

    private let state = Mutex((totals: Totals(), told: UInt64(0)))
    private let stream: AsyncStream<Totals>
    private let listener: AsyncStream<Totals>.Continuation

    /// For one run.
    public init() {
        (stream, listener) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// How far the run is now.
    public var current: Totals { state.withLock { $0.totals } }

    /// Waits for values until the run has ended.
    public func makeAsyncIterator() -> AsyncStream<Totals>.Iterator { stream.makeAsyncIterator() }

    /// Takes note of what a stage did.
    func observe(_ span: Span) {
        let totals: Totals? = state.withLock { state in
            switch span.stage {
            case .read: state.totals.bytesIn += UInt64(span.bytes)
            case .order:
                state.totals.bytesDone += UInt64(span.source)
                state.totals.bytesMade += UInt64(span.bytes)
            case .write: state.totals.bytesOut += UInt64(span.bytes)
            default: return nil
            }
            guard span.end >= state.told + Self.pause else { return nil }
            state.told = span.end
            return state.totals
        }
        if let totals { listener.yield(totals) }
    }

    /// The run has ended.
    func end() {
        listener.yield(current)
        listener.finish()
    }
}
