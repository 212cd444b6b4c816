/// What a run did, and what held it back, as numbers with their units in their names.
public struct RunStatistics: Codable, Equatable, Sendable {
    /// What holds a run back: whoever wants it to be quicker begins there.
    public enum Limit: String, CaseIterable, Codable, Sendable {
        /// What is read did not come faster.
        case input
        /// The workers were busy.
        case work
        /// What was written did not go faster.
        case output
        /// The disk, to which a file was flushed for more than half of the time.
        case sync
        /// The rate limit that was asked for.
        case rate
        /// There was so little that workers could not share it.
        case size
    }

    /// Bytes that were read.
    public var bytesIn: UInt64 = 0
    /// Bytes that were written, holes of files included.
    public var bytesOut: UInt64 = 0
    /// Decompressed bytes, whichever side they were on.
    public var contentBytes: UInt64 = 0
    /// Pieces that went out in order: for a compression to independent frames the number of these, for a decompression
    /// what workers did at a time, which is a frame or several small ones, or a part of a large one.
    public var pieces: UInt64 = 0
    /// Seconds from its beginning to its end. That a run from file to file had to wait for its turn is not in it.
    public var elapsedSeconds = 0.0
    /// Seconds that its threads had of processors. Those that libzstd has for a single frame are not counted.
    public var processorSeconds = 0.0
    /// Workers that had something to do.
    public var workers = 0
    /// The share of the time, but for that of flushing, in which the workers had something to do: 0 to 1.
    public var workerUtilisation = 0.0
    /// Seconds in which the input was read, and waited for; those of several workers are added up.
    public var readSeconds = 0.0
    /// Seconds in which workers compressed or decompressed, added up.
    public var workSeconds = 0.0
    /// Seconds in which the output was written, and waited for.
    public var writeSeconds = 0.0
    /// Seconds in which a file was flushed to the disk, and got its name.
    public var syncSeconds = 0.0
    /// Pieces that were on their way at once, at most; as many as there are slots if the output was too slow.
    public var slotsInUse = 0
    /// What held the run back most.
    public var limitedBy = Limit.size

    /// Nothing was done.
    public init() {}

    /// The numbers of what was recorded until now.
    init(_ recorder: Recorder, _ monitor: Monitor, content: Statistics.Activity.Content, hasRateLimit: Bool) {
        let (elapsed, order) = (recorder.elapsed, recorder.record(of: .order))
        let times = recorder.times(elapsed: elapsed)
        let verdict = Verdict(times, hasRateLimit: hasRateLimit, content: content)
        bytesIn = recorder.record(of: .read).bytes
        bytesOut = recorder.record(of: .write).bytes
        contentBytes = content == .output ? order.bytes : order.source
        pieces = order.operations
        elapsedSeconds = elapsed
        processorSeconds = Double(monitor.threadsTime) / 1e9
        workers = times.workers
        workerUtilisation = verdict.utilisation
        readSeconds = times.read + times.ownRead
        workSeconds = times.work
        writeSeconds = times.write
        syncSeconds = times.sync
        slotsInUse = monitor.slotUse.most
        limitedBy = Limit(rawValue: verdict.cause.name) ?? .size
    }
}
