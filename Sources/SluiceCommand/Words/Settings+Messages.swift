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
        exports = exports(options, paths)
        if partStatistics != nil, recording == .nothing {
            throw UsageError("--part-stats is told by --stats, --stats-file or --report")
        }
    }

    /// Those that were asked for, in the order in which they are written.
    private func exports(_ options: MessageOptions, _ paths: [FilePath]) -> [any Export] {
        let choices: [(any Export)?] = [
            options.trace.map { TraceFile(path: paths[$0]) },
            options.stats == .text ? StatisticsTable() : nil,
            options.stats == .json ? StatisticsObject(path: nil) : nil,
            options.statsFile.map { statisticsFile(paths[$0]) },
            options.report.map { ReportFile(path: paths[$0]) },
        ]
        return choices.compactMap(\.self)
    }

    /// In a folder each part has a file of its own.
    private func statisticsFile(_ path: FilePath) -> any Export {
        guard let share, (try? FileIdentity(at: path))?.kind == .directory, let name = PartRecord.name(of: share)
        else { return StatisticsObject(path: path) }
        return PartStatisticsObject(file: path.appending(name))
    }
}
