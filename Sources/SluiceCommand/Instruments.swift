import Sluice
import SystemPackage

/// Everything that watches a command: the progress that is shown, the statistics, the trace and the report.
struct Instruments: ~Copyable {
    let monitor: Monitor
    let display: ProgressDisplay
    private let settings: Settings
    private let console: Console
    private let recorder: Recorder?
    private let trace: TraceFile?
    private var statisticsFile: SideFile?
    private var reportFile: SideFile?

    /// Opens the files that will be written about the run.
    ///
    /// - Throws: why one of them can't be written.
    init(_ settings: Settings, _ console: Console) throws(Complaint) {
        let trace = try settings.traceFile.map { path throws(Complaint) in try TraceFile(path, settings, console) }
        statisticsFile = try Self.open(settings.statisticsFile, settings, console)
        reportFile = try Self.open(settings.reportFile, settings, console)
        let recorder = settings.wantsStatistics ? Recorder(keepsTimeline: settings.reportFile != nil) : nil
        let progress = Progress(isTesting: settings.mode == .test)
        var observers: [SpanObserver] = [progress.observe]
        if let recorder { observers.append(recorder.observe) }
        if let trace { observers.append(trace.observe) }
        monitor = Monitor(observers)
        display = ProgressDisplay(progress, monitor, settings, console)
        self.settings = settings
        self.console = console
        self.recorder = recorder
        self.trace = trace
    }

    private static func open(
        _ path: FilePath?, _ settings: Settings, _ console: Console
    ) throws(Complaint) -> SideFile? {
        guard let path else { return nil }
        return try SideFile(path, settings, console)
    }

    /// Says what was recorded, wherever it was asked for.
    ///
    /// - Returns: whether all of it could be written.
    consuming func report(_ outcome: Statistics.Outcome) -> Bool {
        do throws(Complaint) {
            try trace?.finish()
            guard let recorder else { return true }
            let statistics = Statistics(recorder, monitor, outcome)
            if settings.statistics == .text { console.write(statistics.table) }
            if settings.statistics == .json { console.write(JSON.page(statistics) + "\n") }
            if let file = statisticsFile.take() { try Self.write(JSON.page(statistics) + "\n", to: file) }
            if let file = reportFile.take(), let drawing = recorder.drawing {
                try Self.write(Report(statistics, drawing).page, to: file)
            }
            return true
        } catch {
            console.error(error.sentence, hint: "the data itself is complete")
            return false
        }
    }

    private static func write(_ text: String, to file: consuming SideFile) throws(Complaint) {
        try file.write(text)
        try file.finish()
    }
}
