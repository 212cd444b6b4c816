internal import Glibc
internal import Synchronization

/// Adapts the compression level of a run to the speed of its input and output: the stages report when they begin and
/// end work, and a worker asks for the level of each frame.
///
/// It decides when a worker asks, at least a quarter of a second after the last decision, and only once all work begun
/// at another level is done: that says nothing about the current level.
final class Adaptation: Sendable {
    /// A level, and the number of changes before it.
    struct Turn {
        let level: Int
        fileprivate let change: Int
    }

    private struct State {
        var level: AdaptiveLevel
        var meter: LoadMeter
        var changes = 0
        /// Frames in work that were begun at another level.
        var older = 0
        /// Bytes still to be compressed at this level before its load is measured.
        var unsettled = 0
        /// Seconds of CPU time at the last look.
        var time = 0.0

        var isSettled: Bool { older == 0 && unsettled == 0 }
    }

    /// Nanoseconds from one decision to the next.
    private static let interval: UInt64 = 250_000_000

    private let held: Int
    private let threads: Int
    private let monitor: Monitor?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - workers: those that report.
    ///   - threads: libzstd's own; 0 if there are none.
    ///   - held: bytes that these have in work.
    init(
        _ level: Int, in bounds: ClosedRange<Int>, workers: Int, threads: Int = 0, held: Int = 0, monitor: Monitor?
    ) {
        (self.threads, self.held, self.monitor) = (threads, held, monitor)
        state = Mutex(
            State(level: AdaptiveLevel(level, in: bounds), meter: LoadMeter(workers: workers, at: Span.now())))
    }

    /// A worker begins a frame, or a step of one.
    ///
    /// - Returns: the level for it.
    func begin() -> Turn {
        let now = Span.now()
        return state.withLock { state in
            decide(&state, at: now)
            state.meter.workDidChange(by: 1, at: now)
            return Turn(level: state.level.level, change: state.changes)
        }
    }

    /// The worker has ended it.
    ///
    /// - Parameter bytes: bytes of content.
    func end(_ turn: Turn, bytes: Int) {
        let now = Span.now()
        state.withLock { state in
            state.meter.workDidChange(by: -1, at: now)
            let wasSettled = state.isSettled
            if turn.change < state.changes { state.older -= 1 } else { state.unsettled -= min(bytes, state.unsettled) }
            if state.isSettled, !wasSettled { look(&state, at: now) }
        }
        monitor?.didCompress(bytes, at: turn.level)
    }

    func inputDidChange(isWaiting: Bool) {
        let now = Span.now()
        state.withLock { $0.meter.inputDidChange(isWaiting: isWaiting, at: now) }
    }

    func outputDidChange(isWriting: Bool) {
        let now = Span.now()
        state.withLock { $0.meter.outputDidChange(isWriting: isWriting, at: now) }
    }

    private func decide(_ state: inout State, at now: UInt64) {
        guard state.isSettled, now >= state.meter.start + Self.interval else { return }
        let before = state.level.level
        state.level.note(look(&state, at: now))
        guard state.level.level != before else { return }
        state.changes += 1
        state.older = state.meter.working
        state.unsettled = held
    }

    /// The load since the last look.
    @discardableResult
    private func look(_ state: inout State, at now: UInt64) -> LoadMeter.Load {
        let seconds = Double(now - min(now, state.meter.start)) / 1e9
        var load = state.meter.look(at: now)
        guard threads > 0 else { return load }
        // Our worker waits for libzstd's only when all of them are busy. Until then their CPU time tells.
        let time = Double(clock()) / Double(CLOCKS_PER_SEC)
        load.work = max(load.work, min(1, (time - state.time) / max(seconds * Double(threads), 1e-9)))
        state.time = time
        return load
    }
}
