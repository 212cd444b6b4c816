import Sluice
import SystemPackage

/// What is shown of a run, after a look at where it would be seen.
extension Settings {
    /// How progress is shown.
    func visibleProgress(for operands: [FilePath]) -> ProgressStyle {
        guard reporting.progress == .auto else { return reporting.progress }
        // Nobody wants it among what is being typed.
        let isTyped = operands.contains(Operand.standardInput) && StandardDescriptors.isTerminal(.standardInput)
        let isSilent = reporting.quietness > 0 || isTyped || followsZstd && isFilter(operands)
        return !isSilent && StandardDescriptors.isTerminal(.standardError) ? .bar : .none
    }

    /// Whether the line at the end is printed: not among other programs in a pipe, unless it was asked for.
    func showsSummary(for operands: [FilePath]) -> Bool {
        // What is for a program says it all, and stays alone.
        guard reporting.quietness == 0, reporting.progress != .json, reporting.progress != .percent,
            reporting.statistics != .json
        else { return false }
        return reporting.verbosity > 0 || reporting.statistics != nil || !command.activity.hasOutput
            || !isFilter(operands)
    }

    /// Whether the bar's last line stays, as pv's does: in a pipeline nothing else tells what went through.
    func keepsBar(for operands: [FilePath]) -> Bool {
        guard isFilter(operands), !showsSummary(for: operands), reporting.statistics != .json else { return false }
        let readsPipe = operands.contains(Operand.standardInput) && StandardDescriptors.isPipe(.standardInput)
        return readsPipe || StandardDescriptors.isPipe(.standardOutput)
    }
}
