internal import Dispatch
internal import Synchronization

/// Counts what is written. The end of a write only adds to it, on whatever thread that is: progress, statistics and the
/// adaptive level look here, and nothing is written because of it.
package final class WriteCount: Sendable {
    /// A write that has begun.
    package struct Write: Sendable {
        fileprivate let count: WriteCount
        package let bytes: Int
        fileprivate let sizes: Delivery
        /// Nanoseconds of the monotonic clock.
        fileprivate let asked: UInt64

        /// Reports that it has ended well.
        package func end() { count.end(self) }
    }

    /// What has changed.
    package struct Change {
        /// The write that has ended; nil if none has.
        package var ended: (bytes: Int, start: UInt64, end: UInt64)?
        /// The sizes of what has arrived.
        package var sizes = Delivery()
        /// Whether something is being written, or waits for that. After a failed write it always does.
        package let isWriting: Bool
    }

    private struct State {
        var written: UInt64 = 0
        var sizes = Delivery()
        var open = 0
        var lastEnd: UInt64 = 0
        var observers: [@Sendable (Change) -> Void] = []

        func tell(_ change: Change) { for observe in observers { observe(change) } }
    }

    private let state = Mutex(State())

    package init() {}

    /// The size of the output so far, including holes and what was there before.
    package var written: UInt64 { state.withLock { $0.written } }
    /// The sizes of everything that has arrived.
    package var sizes: Delivery { state.withLock { $0.sizes } }

    /// Calls `observe`, which must not wait, for each change, in their order.
    package func onChange(_ observe: @escaping @Sendable (Change) -> Void) {
        state.withLock { $0.observers.append(observe) }
    }

    /// Counts a piece that is given to a sink.
    package func begin(_ piece: borrowing Piece) -> Write {
        let bytes = piece.bytes.count + Int(clamping: piece.gapBefore)
        let write = Write(count: self, bytes: bytes, sizes: piece.sizes, asked: DispatchTime.now().uptimeNanoseconds)
        state.withLock { state in
            state.open += 1
            state.tell(Change(isWriting: true))
        }
        return write
    }

    private func end(_ write: Write) {
        let now = DispatchTime.now().uptimeNanoseconds
        state.withLock { state in
            state.open -= 1
            state.written += UInt64(write.bytes)
            state.sizes += write.sizes
            // Writes are executed one after another: each begins when the one before it has ended.
            let start = max(write.asked, state.lastEnd)
            state.lastEnd = now
            let ended = (write.bytes, start, now)
            state.tell(Change(ended: ended, sizes: write.sizes, isWriting: state.open > 0))
        }
    }

    /// Counts a hole at the end.
    package func addHole(_ bytes: UInt64) { state.withLock { $0.written += bytes } }

    /// Counts what arrives without being written.
    package func add(_ sizes: Delivery) {
        state.withLock { state in
            state.sizes += sizes
            state.tell(Change(sizes: sizes, isWriting: state.open > 0))
        }
    }
}

/// The number of input bytes whose results have arrived at the output, and the size of these results.
package struct Delivery: Equatable, Sendable {
    package var sourceBytes: UInt64 = 0
    package var madeBytes: UInt64 = 0

    package init() {}

    package init(source: Int, made: Int) {
        (sourceBytes, madeBytes) = (UInt64(source), UInt64(made))
    }

    package static func += (sum: inout Delivery, next: Delivery) {
        sum.sourceBytes += next.sourceBytes
        sum.madeBytes += next.madeBytes
    }
}
