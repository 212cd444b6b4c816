import Sluice

/// How the progress of a run is shown.
struct ProgressSettings: Sendable {
    let activity: Statistics.Activity
    /// Not `auto`.
    let style: ProgressStyle
    /// Whether the bar's last line stays.
    var keepsBar = false
    /// Seconds between updates; nil for the style's default.
    var interval: Double?
    /// Text to show in place of the file's name.
    var label: String?
    var hasBuffer = false
    /// The level at the start of a run that adapts it; nil for others.
    var level: Int?

    /// Whether progress is shown without a signal.
    var isShown: Bool { style != .none }
}

/// What to show of a run, depending on where standard streams go.
extension Settings {
    func progress(for operands: [FilePath]) -> ProgressSettings {
        let style = visibleProgress(for: operands)
        return ProgressSettings(
            activity: activity, style: style, keepsBar: style == .bar && keepsBar(for: operands),
            interval: reporting.interval, label: reporting.label, hasBuffer: limits.buffer > 0,
            level: compression.options.adaptiveLevels.map { _ in compression.options.level })
    }

    private func visibleProgress(for operands: [FilePath]) -> ProgressStyle {
        guard reporting.progress == .auto else { return reporting.progress }
        // A bar would get in the way of typing.
        let isTyped = operands.contains(Operand.standardInput) && StandardDescriptors.isTerminal(.standardInput)
        let isSilent = reporting.quietness > 0 || isTyped || followsZstd && isFilter(operands)
        return !isSilent && StandardDescriptors.isTerminal(.standardError) ? .bar : .none
    }

    /// Whether to print the summary: in a pipeline only if asked for.
    func showsSummary(for operands: [FilePath]) -> Bool {
        // Output for programs stays alone.
        guard reporting.quietness == 0, reporting.progress != .json, reporting.progress != .percent,
            reporting.statistics != .json
        else { return false }
        return reporting.verbosity > 0 || reporting.statistics != nil
            || !activity.hasOutput && !command.heeds.contains(.archives) || !isFilter(operands)
    }

    /// Like pv's, the bar's last line stays in a pipeline: nothing else reports the amount.
    private func keepsBar(for operands: [FilePath]) -> Bool {
        guard isFilter(operands), !showsSummary(for: operands), reporting.statistics != .json else {
            return false
        }
        let readsPipe = operands.contains(Operand.standardInput) && StandardDescriptors.isPipe(.standardInput)
        return readsPipe || StandardDescriptors.isPipe(.standardOutput)
    }
}
