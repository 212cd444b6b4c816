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
    init(_ operands: [FilePath], _ settings: Settings, _ console: Console) throws(Complaint) {
        let inputs = operands.compactMap(Input.identity)
        let trace = try settings.traceFile.map { path throws(Complaint) in
            try TraceFile(path, inputs: inputs, settings, console)
        }
        statisticsFile = try Self.open(settings.statisticsFile, inputs, settings, console)
        reportFile = try Self.open(settings.reportFile, inputs, settings, console)
        let recorder = settings.wantsStatistics ? Recorder(keepsTimeline: settings.reportFile != nil) : nil
        let progress = Progress(isTesting: settings.mode == .test)
        var observers: [SpanObserver] = [progress.observe]
        if let recorder { observers.append(recorder.observe) }
        if let trace { observers.append(trace.observe) }
        monitor = Monitor(observers)
        display = ProgressDisplay(operands, progress, monitor, settings, console)
        self.settings = settings
        self.console = console
        self.recorder = recorder
        self.trace = trace
    }

    private static func open(
        _ path: FilePath?, _ inputs: [FileIdentity], _ settings: Settings, _ console: Console
    ) throws(Complaint) -> SideFile? {
        guard let path else { return nil }
        return try SideFile(path, inputs: inputs, settings, console)
    }

    /// Says what was recorded, wherever it was asked for.
    ///
    /// - Returns: whether all of it could be written.
    consuming func report(_ outcome: Statistics.Outcome, on subject: Report.Subject) -> Bool {
        var complaints: [Complaint] = []
        let attempt = { (write: () throws(Complaint) -> Void) in
            do throws(Complaint) { try write() } catch { complaints.append(error) }
        }
        attempt { () throws(Complaint) in try trace?.finish() }
        if let recorder {
            let statistics = Statistics(recorder, monitor, outcome)
            if settings.statistics == .text { console.write(statistics.table) }
            if settings.statistics == .json { console.write(JSON.page(statistics) + "\n") }
            attempt { () throws(Complaint) in try Self.write(JSON.page(statistics) + "\n", to: statisticsFile.take()) }
            if let drawing = recorder.drawing {
                attempt { () throws(Complaint) in
                    try Self.write(Report(statistics, drawing, subject).page, to: reportFile.take())
                }
            }
        }
        let isComplete = outcome.outcome == "success"
        for complaint in complaints {
            console.error(complaint.sentence, hint: isComplete ? "the data itself is complete" : nil)
        }
        return complaints.isEmpty
    }

    private static func write(_ text: String, to file: consuming SideFile?) throws(Complaint) {
        guard let file else { return }
        try file.write(text)
        try file.finish()
    }
}
