/// Measures how busy the stages of a run are. A pure value: it is told what changes and when, in nanoseconds.
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
    private var last: UInt64
    /// When the last look was.
    private(set) var start: UInt64

    init(workers: Int, at now: UInt64) {
        self.workers = workers
        (last, start) = (now, now)
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
        let time = max(1, Double(now - min(now, start)))
        let load = Load(
            work: min(1, sums.work / (time * Double(workers))), input: min(1, sums.input / time),
            output: min(1, sums.output / time))
        sums = (0, 0, 0)
        start = now
        return load
    }

    private mutating func advance(to now: UInt64) {
        // Threads read the clock before they get the lock.
        guard now > last else { return }
        let time = Double(now - last)
        sums.work += time * Double(working)
        if isWaiting { sums.input += time }
        if isWriting { sums.output += time }
        last = now
    }
}
