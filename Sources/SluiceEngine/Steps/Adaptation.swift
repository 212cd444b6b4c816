internal import Glibc
internal import Synchronization

/// Adapts the compression level of a run to the speed of its input and output: the stages report when they begin and
/// end work, and a worker asks for the level of each frame.
///
/// It decides when a worker asks, at least a quarter of a second after the last decision, and only once all work begun
/// at another level is done, since that says nothing about the current level.
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
        /// Unfinished frames that were begun at another level.
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
    ///   - held: bytes that these threads hold.
    init(_ level: Int, in bounds: ClosedRange<Int>, workers: Int, threads: Int = 0, held: Int = 0, monitor: Monitor?) {
        (self.threads, self.held, self.monitor) = (threads, held, monitor)
        state = Mutex(
            State(level: AdaptiveLevel(level, in: bounds), meter: LoadMeter(workers: workers, at: StageSpan.now())))
    }

    /// A worker begins a frame, or a step of one.
    ///
    /// - Returns: the level for it.
    func begin() -> Turn {
        let now = StageSpan.now()
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
        let now = StageSpan.now()
        state.withLock { state in
            state.meter.workDidChange(by: -1, at: now)
            let wasSettled = state.isSettled
            if turn.change < state.changes { state.older -= 1 } else { state.unsettled -= min(bytes, state.unsettled) }
            // Begin a new measurement: the load so far belongs to the level before.
            if state.isSettled, !wasSettled { look(&state, at: now) }
        }
        monitor?.didCompress(bytes, at: turn.level)
    }

    func inputDidChange(isWaiting: Bool) {
        let now = StageSpan.now()
        state.withLock { $0.meter.inputDidChange(isWaiting: isWaiting, at: now) }
    }

    func outputDidChange(isWriting: Bool) {
        let now = StageSpan.now()
        state.withLock { $0.meter.outputDidChange(isWriting: isWriting, at: now) }
    }

    private func decide(_ state: inout State, at now: UInt64) {
        guard state.isSettled, now >= state.meter.lastLook + Self.interval else { return }
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
        let seconds = Double(now - min(now, state.meter.lastLook)) / 1e9
        var load = state.meter.look(at: now)
        guard threads > 0 else { return load }
        // Our worker waits for libzstd's only when all of them are busy. Until then, their CPU time shows the load.
        let time = Double(clock()) / Double(CLOCKS_PER_SEC)
        load.work = max(load.work, min(1, (time - state.time) / max(seconds * Double(threads), 1e-9)))
        state.time = time
        return load
    }
}

/// Chooses the compression level by the bottleneck of a run: higher while workers wait for input and output, lower when
/// these wait for workers.
///
/// A pure value, without a clock: the caller says how busy the stages were.
struct AdaptiveLevel {
    /// The approximate time of a level relative to the one below: 4/3 for each makes the measured factor of 180 from 1
    /// to 19.
    private static let timePerLevel = 4.0 / 3
    /// The workers' share above which they are the bottleneck, and the most that a higher level may be expected to
    /// need.
    private static let busy = 0.85
    private static let aim = 0.8
    /// If the busier of input and output is below this share, it could go faster.
    private static let roomBelow = 0.9
    /// If it is at least at this share, it sets the pace.
    private static let paceAbove = 0.7
    /// The most levels at once, up and down: distant levels are guesses, and one look may deceive. Each further look
    /// with the same result goes down twice as far.
    private static let longestStep = (up: 6, down: 3)
    /// Decisions for which a level that was too high is not tried again under the same load.
    private static let remembered = 64
    /// Such a level is tried again earlier if the load expected now is below this share of the load expected back then.
    private static let easier = 0.8
    /// Decisions after which the last raise no longer counts as the reason why workers are too busy.
    private static let trial = 3

    /// A raise of the level, which the workers may have been unable to keep up with.
    private struct Raise {
        /// The share of their time that they were expected to need.
        let expected: Double
        let decision: Int
    }

    let bounds: ClosedRange<Int>
    private(set) var level: Int
    private var decisions = 0
    /// The last raise; nil once the level was lowered.
    private var attempt: Raise?
    /// The levels that were too high, with what was expected of each, and when it failed.
    private var limits: [Int: Raise] = [:]
    /// How often in a row the level was too high.
    private var streak = 0

    /// - Parameters:
    ///   - level: clamped to the bounds.
    ///   - bounds: there is no level 0.
    init(_ level: Int, in bounds: ClosedRange<Int>) {
        self.bounds = bounds
        self.level = min(max(level, bounds.lowerBound), bounds.upperBound)
    }

    /// Decides by the load since the last decision, at the current level.
    mutating func note(_ load: LoadMeter.Load) {
        decisions += 1
        let ends = max(load.input, load.output)
        if load.work >= Self.busy, ends < Self.roomBelow {
            lower(by: min(Self.steps(1 / max(ends, 0.05)), Self.longestStep.down << min(streak, 8)))
            streak += 1
            return
        }
        streak = 0
        if load.work < Self.busy, ends >= Self.paceAbove {
            raise(by: Self.steps(Self.aim / max(load.work, 0.01)), from: load.work)
        }
    }

    private mutating func lower(by count: Int) {
        if let attempt, decisions - attempt.decision <= Self.trial {
            limits[level] = Raise(expected: attempt.expected, decision: decisions)
        }
        attempt = nil
        level = moved(by: -max(1, count))
    }

    private mutating func raise(by count: Int, from work: Double) {
        for count in stride(from: min(count, Self.longestStep.up), to: 0, by: -1) {
            let (goal, expected) = (moved(by: count), work * pow(Self.timePerLevel, Double(count)))
            if goal > level, isWorthATry(goal, expected) {
                attempt = Raise(expected: expected, decision: decisions)
                level = goal
                return
            }
        }
    }

    /// Whether the workers are likely to keep up with a level: it was not too high before, or they are much less busy
    /// now.
    private func isWorthATry(_ goal: Int, _ expected: Double) -> Bool {
        limits.allSatisfy { level, limit in
            level > goal || level <= self.level || decisions - limit.decision > Self.remembered
                || expected < Self.easier * limit.expected * pow(Self.timePerLevel, Double(goal - level))
        }
    }

    /// The level `count` steps up, within the bounds; there is no level 0.
    private func moved(by count: Int) -> Int {
        let place = (level > 0 ? level - 1 : level) + count
        return min(max(place >= 0 ? place + 1 : place, bounds.lowerBound), bounds.upperBound)
    }

    /// The number of levels that make this factor in time, rounded down.
    private static func steps(_ factor: Double) -> Int { Int(log(factor) / log(timePerLevel)) }
}

/// A meter of how busy the stages of a run are. A pure value: the caller says what changes and when, in nanoseconds.
struct LoadMeter {
    /// Shares of the time since the last look, 0 to 1.
    struct Load: Equatable {
        /// Workers were busy, as a share of all workers' time.
        var work: Double
        /// The reader waited for the input.
        var input: Double
        /// A write was under way.
        var output: Double
    }

    private let workers: Int
    /// Workers that are busy.
    private(set) var working = 0
    private var isWaiting = false
    private var isWriting = false
    /// Nanoseconds until the last change, of all workers added up.
    private var sums = (work: 0.0, input: 0.0, output: 0.0)
    private var lastChange: UInt64
    /// When the last look was.
    private(set) var lastLook: UInt64

    init(workers: Int, at now: UInt64) {
        self.workers = workers
        (lastChange, lastLook) = (now, now)
    }

    mutating func workDidChange(by count: Int, at now: UInt64) {
        advance(to: now)
        working += count
    }

    mutating func inputDidChange(isWaiting: Bool, at now: UInt64) {
        advance(to: now)
        self.isWaiting = isWaiting
    }

    mutating func outputDidChange(isWriting: Bool, at now: UInt64) {
        advance(to: now)
        self.isWriting = isWriting
    }

    /// The load since the last look, which ends here.
    mutating func look(at now: UInt64) -> Load {
        advance(to: now)
        let time = max(1, Double(now - min(now, lastLook)))
        let load = Load(
            work: min(1, sums.work / (time * Double(workers))), input: min(1, sums.input / time),
            output: min(1, sums.output / time))
        sums = (0, 0, 0)
        lastLook = now
        return load
    }

    private mutating func advance(to now: UInt64) {
        // Threads read the clock before they get the lock, so times may arrive out of order.
        guard now > lastChange else { return }
        let time = Double(now - lastChange)
        sums.work += time * Double(working)
        if isWaiting { sums.input += time }
        if isWriting { sums.output += time }
        lastChange = now
    }
}
