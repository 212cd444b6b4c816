internal import Glibc

/// Chooses the compression level by the bottleneck of a run: higher while workers wait for input and output, lower when
/// these wait for workers.
///
/// A pure value, without a clock: it is told how busy the stages were.
struct AdaptiveLevel {
    /// The time of a level relative to the one below, about: 4/3 for each makes the measured factor of 180 from 1 to
    /// 19.
    private static let step = 4.0 / 3
    /// The workers' share above which they are the bottleneck, and the most that a higher level may be expected to
    /// need.
    private static let busy = 0.85
    private static let aim = 0.8
    /// The share of the busier end of the run below which it could go faster.
    private static let roomBelow = 0.9
    /// That above which it sets the pace.
    private static let paceAbove = 0.7
    /// The most levels at once, up and down: distant levels are guesses, and one look may deceive. Each further look
    /// with the same result goes down twice as far.
    private static let longestStep = (up: 6, down: 3)
    /// Decisions for which a level that was too high is not tried again under the same load.
    private static let memory = 64
    /// Decisions after which the last raise no longer counts as the reason why workers are too busy.
    private static let trial = 3

    /// A level that the workers could not keep up with.
    private struct Limit {
        /// The share that was expected of them.
        let expected: Double
        let decision: Int
    }

    let bounds: ClosedRange<Int>
    private(set) var level: Int
    private var decisions = 0
    /// The last raise.
    private var attempt: Limit?
    private var limits: [Int: Limit] = [:]
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
            limits[level] = Limit(expected: attempt.expected, decision: decisions)
        }
        attempt = nil
        level = moved(by: -max(1, count))
    }

    private mutating func raise(by count: Int, from work: Double) {
        for count in stride(from: min(count, Self.longestStep.up), to: 0, by: -1) {
            let (goal, expected) = (moved(by: count), work * pow(Self.step, Double(count)))
            if goal > level, isWorthATry(goal, expected) {
                attempt = Limit(expected: expected, decision: decisions)
                level = goal
                return
            }
        }
    }

    /// Whether the workers are likely to keep up with a level: it was not too high before, or they are much less busy
    /// now.
    private func isWorthATry(_ goal: Int, _ expected: Double) -> Bool {
        limits.allSatisfy { level, limit in
            level > goal || level <= self.level || decisions - limit.decision > Self.memory
                || expected < 0.8 * limit.expected * pow(Self.step, Double(goal - level))
        }
    }

    /// The level that many steps up, within the bounds; there is none between -1 and 1.
    private func moved(by count: Int) -> Int {
        let place = (level > 0 ? level - 1 : level) + count
        return min(max(place >= 0 ? place + 1 : place, bounds.lowerBound), bounds.upperBound)
    }

    /// How many levels make that factor in time, rounded down.
    private static func steps(_ factor: Double) -> Int { Int(log(factor) / log(step)) }
}
