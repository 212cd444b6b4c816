import Sluice

/// A command that transforms data from each operand to an output, run by a `Session`.
protocol Transfer: Command {
    /// Returns the operation on an operand.
    ///
    /// - Parameter console: for what the operation tells while it runs.
    /// - Throws: why this operand can't be processed.
    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console) throws(Failure)
        -> any Operation
    /// Returns the operation on small files as wholes; nil if each needs a pipeline.
    func wholeFileOperation(_ settings: Settings) -> (any WholeFileOperation)?
    /// Returns the operation that inspects a damaged file for more than its first damage; nil for none.
    func inspection(of source: Source, after failure: Failure, _ settings: Settings) -> (any Operation)?
}

extension Transfer {
    func wholeFileOperation(_ settings: Settings) -> (any WholeFileOperation)? { nil }
    func inspection(of source: Source, after failure: Failure, _ settings: Settings) -> (any Operation)? { nil }

    /// Adds the options that matter to it.
    func describe(_ run: inout Statistics.Run, _ settings: Settings) {
        if activity.content == .output { run.windowLimitBytes = settings.decoding.windowLimit }
        guard activity.content == .input else { return }
        var options = settings.compression.options
        if settings.compression.isStrongest { options.maximize(contentSize: nil) }
        run.level = options.level
        run.checksum = options.hasChecksum
        run.singleFrame = settings.compression.isSingleFrame
        if options.cutsByContent { run.rsyncable = true }
        run.lineEnd = settings.compression.lineEnd.map(Int.init)
        run.adaptMin = options.adaptiveLevels?.lowerBound
        run.adaptMax = options.adaptiveLevels?.upperBound
        run.longWindowBytes = options.longWindowLog.map { 1 << UInt64($0) }
        run.flushIntervalSeconds = settings.compression.flushInterval?.seconds
        guard !settings.compression.isSingleFrame else { return }
        run.frameSizeBytes = options.effectiveFrameSize
        if settings.limits.rate == nil { run.reading = settings.input.reading.rawValue }
    }
}
