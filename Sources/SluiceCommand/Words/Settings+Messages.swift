import Sluice
import SystemPackage

/// What is said.
extension Settings {
    mutating func take(_ options: MessageOptions, _ paths: [FilePath]) throws(UsageError) {
        quietness = options.quiet
        verbosity = options.verbose
        progress = options.progress
        interval = options.interval
        if let interval, !(0.05...3600).contains(interval) {
            throw UsageError("--interval takes seconds, 0.05 to 3600")
        }
        label = options.name.map { FilePath($0).printable }
        statistics = options.stats
        exports = Self.exports(options, paths)
    }

    /// Those that were asked for, in the order in which they are written.
    private static func exports(_ options: MessageOptions, _ paths: [FilePath]) -> [any Export] {
        let choices: [(any Export)?] = [
            options.trace.map { TraceFile(path: paths[$0]) },
            options.stats == .text ? StatisticsTable() : nil,
            options.stats == .json ? StatisticsObject(path: nil) : nil,
            options.statsFile.map { StatisticsObject(path: paths[$0]) },
            options.report.map { ReportFile(path: paths[$0]) },
        ]
        return choices.compactMap(\.self)
    }

    /// What has to be kept of the run, to be told at its end.
    var recording: Recording { exports.map(\.needs).max() ?? .nothing }

    /// How progress is shown, after a look at where it would be seen.
    func visibleProgress(for operands: [FilePath]) -> ProgressStyle {
        guard progress == .auto else { return progress }
        // Nobody wants it among what is being typed.
        let isTyped = operands.contains(Input.standardInput) && StandardDescriptors.isTerminal(.standardInput)
        let isSilent = quietness > 0 || isTyped || followsZstd && isFilter(operands)
        return !isSilent && StandardDescriptors.isTerminal(.standardError) ? .bar : .none
    }

    /// Whether the line at the end is printed: not among other programs in a pipe, unless it was asked for.
    func showsSummary(for operands: [FilePath]) -> Bool {
        // What is for a program says it all, and stays alone.
        guard quietness == 0, progress != .json, progress != .percent, statistics != .json else { return false }
        return verbosity > 0 || statistics != nil || !verb.operation.hasOutput || !isFilter(operands)
    }

    /// Whether the bar's last line stays, as pv's does: in a pipeline nothing else tells what went through.
    func keepsBar(for operands: [FilePath]) -> Bool {
        guard isFilter(operands), !showsSummary(for: operands), statistics != .json else { return false }
        let readsPipe = operands.contains(Input.standardInput) && StandardDescriptors.isPipe(.standardInput)
        return readsPipe || StandardDescriptors.isPipe(.standardOutput)
    }
}
