/// Measures how busy the stages of a run are. A pure value: it is told what changes and when, in nanoseconds.
struct LoadMeter {
    /// Shares of the time since the last look, 0 to 1.
    struct Load: Equatable {
        /// In which workers had something to do, of the time of all of them.
        var work: Double
        /// In which the input was waited for.
        var input: Double
        /// In which something was being written.
        var output: Double
    }

    private let workers: Int
    /// Workers that have something to do.
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

    /// What was seen since the last look; the next one begins here.
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
        // Threads take the time before they take their turn.
        guard now > last else { return }
        let time = Double(now - last)
        sums.work += time * Double(working)
        if isWaiting { sums.input += time }
        if isWriting { sums.output += time }
        last = now
    }
}
