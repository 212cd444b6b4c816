internal import Glibc

/// Chooses the level of compression by what holds a run back: as high as the workers can be busy with while the input
/// and the output keep them waiting, and no higher than lets these go on.
///
/// A pure value: it is told how busy the stages were, knows no time, and waits for nobody.
struct AdaptiveLevel {
    /// How much longer a level takes than the one below, about: 4/3 for each makes 1 to 19 what it is, 180 times.
    private static let step = 4.0 / 3
    /// The workers' share above which they hold the run back, and the most that a higher level may be expected to need.
    private static let busy = 0.85
    private static let aim = 0.8
    /// The share of the busier end of the run below which it could go faster, and above which it is what sets the pace.
    private static let idleEnd = 0.9
    private static let busyEnd = 0.7
    /// The most levels at once, up and down: what is expected of levels far off is guessed, and one look may deceive.
    /// Each further one that tells the same is followed twice as far down.
    private static let longestStep = (up: 6, down: 3)
    /// Decisions for which a level that was too high is not tried again under the same conditions.
    private static let memory = 64
    /// Decisions after which a level that was gone up to is no longer what made the workers too busy.
    private static let trial = 3

    /// A level that the workers could not keep up with.
    private struct Limit {
        /// The share that had been expected of them.
        let expected: Double
        /// When it was.
        let decision: Int
    }

    let bounds: ClosedRange<Int>
    private(set) var level: Int
    private var decisions = 0
    /// The share that the workers were expected to have at the level that was gone up to last, and when.
    private var attempt: Limit?
    private var limits: [Int: Limit] = [:]
    /// How often in a row it was too high.
    private var streak = 0

    /// - Parameters:
    ///   - level: the first one, if it is within the bounds.
    ///   - bounds: the least and the greatest. There is no level 0.
    init(_ level: Int, in bounds: ClosedRange<Int>) {
        self.bounds = bounds
        self.level = min(max(level, bounds.lowerBound), bounds.upperBound)
    }

    /// Decides anew, by what was seen since the last time at the level that there is now.
    mutating func note(_ load: LoadMeter.Load) {
        decisions += 1
        let ends = max(load.input, load.output)
        if load.work >= Self.busy, ends < Self.idleEnd {
            lower(by: min(Self.steps(1 / max(ends, 0.05)), Self.longestStep.down << min(streak, 8)))
            streak += 1
            return
        }
        streak = 0
        if load.work < Self.busy, ends >= Self.busyEnd {
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
        var count = min(count, Self.longestStep.up)
        while count > 0 {
            let (goal, expected) = (moved(by: count), work * pow(Self.step, Double(count)))
            if goal > level, isWorthATry(goal, expected) {
                attempt = Limit(expected: expected, decision: decisions)
                level = goal
                return
            }
            count -= 1
        }
    }

    /// Whether nothing is known against a level, or the workers have become so much less busy that it may do now.
    private func isWorthATry(_ goal: Int, _ expected: Double) -> Bool {
        limits.allSatisfy { level, limit in
            level > goal || level <= self.level || decisions - limit.decision > Self.memory
                || expected < 0.8 * limit.expected * pow(Self.step, Double(goal - level))
        }
    }

    /// So many levels up, within the bounds; there is none between -1 and 1.
    private func moved(by count: Int) -> Int {
        let place = (level > 0 ? level - 1 : level) + count
        return min(max(place >= 0 ? place + 1 : place, bounds.lowerBound), bounds.upperBound)
    }

    /// How many levels take so much longer, rounded down.
    private static func steps(_ factor: Double) -> Int { Int(log(factor) / log(step)) }
}
