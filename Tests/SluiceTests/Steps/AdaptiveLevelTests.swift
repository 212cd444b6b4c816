import Glibc
import TestSupport
import Testing

@testable import SluiceEngine

/// The level follows what holds a run back: a run that is played, without threads and without time.
@Suite struct AdaptiveLevelTests {
    /// What is compressed, by what, and between which ends. Sizes are bytes a second.
    struct Run {
        /// What workers do at level 1, all together; each level takes longer by what its number in `steps` says.
        var speed = 500e6
        /// Of most levels 4/3, of some much more, as of zstd's.
        var steps: [Int: Double] = [5: 1.8, 13: 2.2, 18: 1.5]
        var input = Double.infinity
        var output = Double.infinity

        func capacity(_ level: Int) -> Double {
            guard level > 1 else { return speed * pow(1.1, Double(max(0, -level))) }
            return speed / (2...level).reduce(1) { $0 * (steps[$1] ?? 4.0 / 3) }
        }

        /// Higher levels leave less to write.
        func ratio(_ level: Int) -> Double { 2 + Double(level) / 20 }

        func flow(_ level: Int) -> Double { min(capacity(level), input, output * ratio(level)) }

        func load(_ level: Int) -> LoadMeter.Load {
            let flow = flow(level)
            return LoadMeter.Load(
                work: flow / capacity(level), input: flow / input, output: flow / ratio(level) / output)
        }

        /// The levels after so many decisions each.
        func levels(_ level: inout AdaptiveLevel, _ count: Int) -> [Int] {
            (0..<count).map { _ in
                level.note(load(level.level))
                return level.level
            }
        }
    }

    private func settled(_ run: Run, from start: Int = 3, in bounds: ClosedRange<Int> = 1...19) -> Int {
        var level = AdaptiveLevel(start, in: bounds)
        return run.levels(&level, 12).last ?? 0
    }

    @Test(arguments: [1, 3, 9, 19])
    func `between fast ends it goes down to the least, soon`(start: Int) {
        var level = AdaptiveLevel(start, in: 1...19)
        #expect(Run().levels(&level, 5).last == 1)
        var bounded = AdaptiveLevel(start, in: 3...19)
        #expect(Run().levels(&bounded, 5).last == 3)
    }

    @Test(arguments: [1, 3, 19])
    func `a slow input or output raises it, up to where the workers are busy`(start: Int) {
        for run in [Run(input: 20e6), Run(output: 8e6)] {
            let level = settled(run, from: start)
            #expect((8...13).contains(level))
            // It is no bottleneck, and there is not much to be had above it.
            #expect(run.flow(level) >= 0.9 * min(run.input, run.output * run.ratio(level)))
            #expect(run.capacity(level + 2) < 1.2 * run.flow(level))
        }
    }

    @Test func `hardly anything to do is the most`() {
        #expect(settled(Run(output: 1000)) == 19)
        #expect(settled(Run(input: 1000), in: 1...22) == 22)
        #expect(settled(Run(input: 1000), in: 2...7) == 7)
    }

    @Test func `it moves both ways, again and again, within a few decisions`() {
        var level = AdaptiveLevel(3, in: 1...19)
        for _ in 0..<10 {
            #expect(Run(output: 10_000).levels(&level, 5).last == 19)
            #expect(Run().levels(&level, 5).last == 1)
            let levels = Run(output: 8e6).levels(&level, 8)
            #expect((8...13).contains(levels.last ?? 0))
        }
    }

    /// Of each rate of the output, from where the least is too high to where the most is too low.
    @Test(arguments: 0..<60)
    func `what does not change lets it rest`(step: Int) {
        let run = Run(output: 1e4 * pow(1.25, Double(step)))
        var level = AdaptiveLevel(3, in: 1...19)
        let settled = run.levels(&level, 15).last ?? 0
        let levels = run.levels(&level, 400)
        let changes = zip([settled] + levels, levels).filter(!=).count
        // It tries the next one now and then, and comes back.
        #expect(changes <= 2 * 400 / 60 + 2)
        #expect(levels.filter { $0 == settled }.count > 370)
    }

    @Test func `what was too much once is tried again when there is less to do, or after a while`() {
        let run = Run(output: 8e6)
        var level = AdaptiveLevel(3, in: 1...19)
        let settled = run.levels(&level, 20).last ?? 0
        #expect(Run(output: 2e6).levels(&level, 4).last ?? 0 > settled)
        // The content has become easier.
        _ = run.levels(&level, 20)
        #expect(Run(speed: 2000e6, output: 8e6).levels(&level, 6).last ?? 0 > settled)
    }

    @Test(arguments: [1...1, 1...19, -7...22, -7 ... -2, 5...6, 20...22])
    func `it never leaves its bounds, and there is no level 0`(bounds: ClosedRange<Int>) {
        var numbers = SeededNumbers(seed: 7)
        var level = AdaptiveLevel(3, in: bounds)
        #expect(bounds.contains(level.level))
        for _ in 0..<2000 {
            let shares = (0..<3).map { _ in
                [0, 1, Double.random(in: 0...1, using: &numbers)].randomElement(using: &numbers) ?? 0
            }
            level.note(LoadMeter.Load(work: shares[0], input: shares[1], output: shares[2]))
            #expect(bounds.contains(level.level) && level.level != 0)
        }
    }

    @Test func `where neither end waits for the other, and workers neither, it stays`() {
        var level = AdaptiveLevel(9, in: 1...19)
        for load in [(0.9, 0.2, 0.95), (0.9, 0.95, 0.2), (0.7, 1, 0.1), (0.7, 0.1, 1), (0.3, 0.4, 0.4)] {
            level.note(LoadMeter.Load(work: load.0, input: load.1, output: load.2))
            #expect(level.level == 9)
        }
    }
}
