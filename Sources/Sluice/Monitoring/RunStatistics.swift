/// The numbers of a run, with their units in their names, and what limited its speed.
public struct RunStatistics: Codable, Equatable, Sendable {
    /// The bottleneck of a run.
    public enum Limit: String, CaseIterable, Codable, Sendable {
        /// The input did not arrive faster.
        case input
        /// The workers were busy.
        case work
        /// The output could not be written faster.
        case output
        /// Flushing the file to the disk took more than half of the time.
        case sync
        /// The rate limit.
        case rate
        /// The input was too small to keep the workers busy.
        case size
    }

    /// Bytes that were read.
    public var bytesIn: UInt64 = 0
    /// Bytes that were written, holes of files included.
    public var bytesOut: UInt64 = 0
    /// Decompressed bytes, be they the input or the output.
    public var contentBytes: UInt64 = 0
    /// Results that were written in order: the frames of a compression, or for a decompression a frame, several small
    /// frames, or a segment of a large one.
    public var pieces: UInt64 = 0
    /// Seconds from the beginning to the end, without the time for which a run from file to file waited for its turn.
    public var elapsedSeconds = 0.0
    /// Processor time of the run's threads, without libzstd's own threads for a single frame.
    public var processorSeconds = 0.0
    /// Workers that had work.
    public var workers = 0
    /// The share of the time, without that of flushing, in which the workers were busy: 0 to 1.
    public var workerUtilisation = 0.0
    /// Seconds of reading the input and waiting for it, summed over all workers.
    public var readSeconds = 0.0
    /// Seconds in which workers compressed or decompressed, summed.
    public var workSeconds = 0.0
    /// Seconds of writing the output and waiting for it.
    public var writeSeconds = 0.0
    /// Seconds of flushing a file to the disk and giving it its name.
    public var syncSeconds = 0.0
    /// The most chunks that were in flight at once: as many as there are slots if the output was too slow.
    public var slotsInUse = 0
    /// The bottleneck of the run.
    public var limitedBy = Limit.size

    /// Statistics of a run that did nothing.
    public init() {}

    /// The statistics of everything recorded so far.
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
