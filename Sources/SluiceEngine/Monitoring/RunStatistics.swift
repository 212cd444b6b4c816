/// What a run did, and what limited its speed.
///
///     let record = RunRecord()
///     try await Compression().run(from: .file("a"), to: .file("a.zst"), options: RunOptions(record: record))
///     if record.statistics.limitedBy == .output { print("a faster disk would help") }
public struct RunStatistics: Equatable, Sendable {
    /// The bottleneck of a run. More values may be added.
    ///
    ///     let record = RunRecord()
    ///     try await Compression().run(from: .file("a"), to: .file("a.zst"), options: RunOptions(record: record))
    ///     switch record.statistics.limitedBy {
    ///     case .input: print("a faster disk to read from would help")
    ///     case .work: print("more cores would help")
    ///     case let other: print("limited by \(other)")
    ///     }
    public struct Limit: Hashable, Sendable, CustomStringConvertible {
        /// The word that `--stats=json` has for it, such as `input`.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// The input did not arrive faster.
        public static let input = Limit("input")
        /// The workers were busy.
        public static let work = Limit("work")
        /// The workers had work, but other processes had the processors.
        public static let processors = Limit("processors")
        /// The output could not be written faster.
        public static let output = Limit("output")
        /// Flushing the file to the disk took more than half of the time.
        public static let sync = Limit("sync")
        /// Giving the file its name, without flushing it, took more than half of the time.
        public static let name = Limit("name")
        /// The rate limit (`RunOptions.rateLimit`).
        public static let rate = Limit("rate")
        /// The input was too small to keep the workers busy.
        public static let size = Limit("size")

        init(_ cause: Verdict.Cause) { self.init(cause.name) }
    }

    /// Bytes that were read.
    public package(set) var bytesIn = 0
    /// Bytes that were written, holes of files included.
    public package(set) var bytesOut = 0
    /// Decompressed bytes, whether they are the input or the output.
    public package(set) var contentBytes = 0
    /// The number of results that were written in order: the frames of a compression, or for a decompression a frame,
    /// several small frames, or a segment of a large one.
    public package(set) var pieces = 0
    /// The time from the beginning to the end, without the time for which a run from file to file waited for its turn.
    public package(set) var elapsed = Duration.zero
    /// Processor time of the run's threads, without libzstd's own threads for a single frame.
    public package(set) var processorTime = Duration.zero
    /// The number of workers that had work.
    public package(set) var workers = 0
    /// The share of the time, without that of flushing, in which the workers were busy: 0 to 1.
    public var workerUtilization: Double { verdict.utilisation }
    /// The time of reading the input and waiting for it, summed over all workers.
    public package(set) var readTime = Duration.zero
    /// The time in which workers compressed or decompressed, summed.
    public package(set) var workTime = Duration.zero
    /// The time of writing the output and waiting for it.
    public package(set) var writeTime = Duration.zero
    /// The time of flushing a file to the disk and giving it its name.
    public package(set) var syncTime = Duration.zero
    /// The most chunks that were in flight at once: the number of slots if the output was too slow.
    public package(set) var slotsInUse = 0
    /// The bottleneck of the run.
    public var limitedBy: Limit { Limit(verdict.cause) }

    /// What limited the speed, with its share.
    package private(set) var verdict = Verdict(Verdict.Times(), hasRateLimit: false, content: .both)
    /// The most chunks that could be in flight at once.
    package var slots = 0
    /// The mean number of chunks in flight over the time.
    package var slotsInUseMean = 0.0
    /// Nil unless each chunk had its own level.
    package var levels: LevelUse?
    /// In the order in which data goes through them.
    package var stages: [Stage] = []

    /// Statistics of a run that did nothing.
    package init() {}

    /// The statistics of everything recorded so far.
    ///
    /// - Parameter hasRateLimit: whether the caller slowed down the input.
    package init(_ recorder: Recorder, _ monitor: Monitor, content: Activity.Content, hasRateLimit: Bool = false) {
        let (elapsed, order) = (recorder.elapsed, recorder.record(of: .order))
        let times = Verdict.Times(recorder, elapsed: elapsed)
        verdict = Verdict(times, hasRateLimit: hasRateLimit, content: content)
        bytesIn = Int(clamping: recorder.record(of: .read).bytes)
        bytesOut = Int(clamping: recorder.record(of: .write).bytes)
        contentBytes = Int(clamping: content.size(input: order.source, output: order.bytes))
        pieces = Int(clamping: order.operations)
        self.elapsed = .seconds(elapsed)
        processorTime = .nanoseconds(monitor.threadsTime)
        workers = times.workers
        readTime = .seconds(times.read + times.ownRead)
        workTime = .seconds(times.work)
        writeTime = .seconds(times.write)
        syncTime = .seconds(times.sync)
        let slotUse = monitor.slotUse
        slots = monitor.slots.count
        slotsInUse = slotUse.most
        slotsInUseMean = elapsed > 0 ? slotUse.seconds / elapsed : 0
        levels = monitor.levelUse
        stages = Self.stages(recorder, content, elapsed: elapsed)
    }
}
