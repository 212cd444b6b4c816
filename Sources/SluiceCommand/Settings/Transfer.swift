import Sluice

/// A command that transforms data from each operand to an output, run by a `Session`.
protocol Transfer: Command {
    /// Returns the action on an operand.
    ///
    /// - Parameter console: for what the action tells while it runs.
    /// - Throws: why this operand can't be processed.
    func action(for source: Source, _ settings: Settings, _ console: Console) throws(Failure) -> Action
    /// Returns the action on content whose frames are known already; nil for the one on its file.
    func action(on content: SharedContent, _ settings: Settings, _ console: Console) -> Action?
    /// Returns the action on small files as wholes; nil if each needs a pipeline.
    func wholeFileAction(_ settings: Settings) -> Action?
    /// Returns the action that inspects a damaged file for more than its first damage; nil for none.
    func inspection(of source: Source, after failure: Failure, _ settings: Settings) -> Action?
}

extension Transfer {
    func action(on content: SharedContent, _ settings: Settings, _ console: Console) -> Action? { nil }
    func wholeFileAction(_ settings: Settings) -> Action? { nil }
    func inspection(of source: Source, after failure: Failure, _ settings: Settings) -> Action? { nil }

    /// Adds the options that matter to it.
    func describe(_ run: inout Statistics.Run, _ settings: Settings) {
        if activity.content == .output { run.windowLimitBytes = settings.decoding.windowLimit }
        guard activity.content == .input else { return }
        run.level = settings.compression.options.level
        run.checksum = settings.compression.options.hasChecksum
        run.singleFrame = settings.compression.isSingleFrame
        if settings.compression.options.cutsByContent { run.rsyncable = true }
        run.adaptMin = settings.compression.options.adaptiveLevels?.lowerBound
        run.adaptMax = settings.compression.options.adaptiveLevels?.upperBound
        run.longWindowBytes = settings.compression.options.longWindowLog.map { 1 << UInt64($0) }
        run.flushIntervalSeconds = settings.compression.flushInterval?.seconds
        guard !settings.compression.isSingleFrame else { return }
        run.frameSizeBytes = settings.compression.options.effectiveFrameSize
        if settings.limits.rate == nil { run.reading = settings.input.reading.rawValue }
    }
}
