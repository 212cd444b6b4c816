internal import SluiceEngine
internal import Synchronization

/// The progress of a run, as a sequence that ends with it: at most one value each tenth of a second, and one at the
/// end.
///
/// A slow reader gets the newest value only. An instance is for one run, and for one reader.
///
///     let progress = RunProgress()
///     async let summary = Compression().run(
///         from: .file("a.tar"), to: .file("a.tar.zst"), options: RunOptions(progress: progress))
///     for await totals in progress { print("\(totals.bytesIn) bytes read") }
///     print(try await summary.duration)
///
/// The sequence ends when the run fails, too, and throws nothing: the run does.
public final class RunProgress: AsyncSequence, Sendable {
    /// The progress at some time.
    ///
    ///     let progress = RunProgress()
    ///     async let summary = Compression().run(
    ///         from: .file("a.tar"), to: .file("a.tar.zst"), options: RunOptions(progress: progress))
    ///     for await totals in progress {
    ///         print("\(totals.bytesDone) of \(totals.bytesIn) bytes became \(totals.bytesMade)")
    ///     }
    ///     try await print(summary.bytesOut)
    public struct Totals: Equatable, Sendable {
        /// Bytes read.
        public package(set) var bytesIn = 0
        /// Bytes of the input that are compressed or decompressed, as far as nothing before them is missing.
        public package(set) var bytesDone = 0
        /// Bytes that they became.
        public package(set) var bytesMade = 0
        /// Bytes written.
        public package(set) var bytesOut = 0
    }

    /// Waits for the next value.
    public typealias AsyncIterator = AsyncStream<Totals>.Iterator

    /// Nanoseconds between values.
    private static let pause: UInt64 = 100_000_000

    private let state = Mutex((totals: Totals(), told: UInt64(0)))
    private let stream: AsyncStream<Totals>
    private let listener: AsyncStream<Totals>.Continuation

    /// Creates an instance to be passed to one run, in its ``RunOptions``.
    public init() {
        (stream, listener) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The progress now.
    public var current: Totals { state.withLock { $0.totals } }

    /// Yields values until the run has ended.
    public func makeAsyncIterator() -> AsyncStream<Totals>.Iterator { stream.makeAsyncIterator() }

    /// Counts the bytes of a span.
    func observe(_ span: StageSpan) {
        let totals: Totals? = state.withLock { state in
            switch span.stage {
            case .read: state.totals.bytesIn += span.bytes
            case .order:
                state.totals.bytesDone += span.source
                state.totals.bytesMade += span.bytes
            case .write: state.totals.bytesOut += span.bytes
            default: return nil
            }
            guard span.end >= state.told + Self.pause else { return nil }
            state.told = span.end
            return state.totals
        }
        if let totals { listener.yield(totals) }
    }

    func end() {
        listener.yield(current)
        listener.finish()
    }
}
