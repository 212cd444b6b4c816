import Sluice

/// What a run shows: a bar, a summary, or nothing.
extension Settings {
    /// How progress is shown; not `auto`.
    var progressStyle: ProgressStyle {
        guard reporting.progress == .auto else { return reporting.progress }
        // A bar would get in the way of typing.
        let isTyped =
            operands.contains(Operand.standardInput) && input.commandWords == nil
            && StandardDescriptors.isTerminal(.standardInput)
        let isSilent = reporting.quietness > 0 || isTyped || followsZstd && goesToStandardOutput
        return !isSilent && StandardDescriptors.isTerminal(.standardError) ? .bar : .none
    }

    /// Whether to print the summary: in a pipeline only if asked for.
    var showsSummary: Bool {
        // Output for programs stays alone, and so does a list.
        guard reporting.quietness == 0, reporting.progress != .json, reporting.progress != .percent,
            reporting.statistics != .json, activity.hasOutput || !command.heeds.contains(.archives)
        else { return false }
        return reporting.verbosity > 0 || reporting.statistics != nil || !activity.hasOutput || !goesToStandardOutput
    }

    /// Whether the bar's last line stays, like pv's: in a pipeline nothing else reports the amount.
    var keepsBar: Bool {
        guard goesToStandardOutput, !showsSummary, reporting.statistics != .json else { return false }
        let readsPipe =
            input.commandWords != nil
            || operands.contains(Operand.standardInput) && StandardDescriptors.isPipe(.standardInput)
        return readsPipe || StandardDescriptors.isPipe(.standardOutput)
    }
}
