import Sluice
import SystemPackage

/// Everything that watches a command: the progress that is shown, the statistics, the trace and the report.
struct Instruments: ~Copyable {
    let monitor: Monitor
    let display: ProgressDisplay
    private let settings: Settings
    private let console: Console
    private let recorder: Recorder?
    private let run: Statistics.Run?
    private let trace: TraceFile?
    private var statisticsFile: SideFile?
    private var reportFile: SideFile?

    /// Opens the files that will be written about the run.
    ///
    /// - Throws: why one of them can't be written.
    init(_ operands: [FilePath], _ settings: Settings, _ console: Console) throws(Complaint) {
        // Most runs have none, and looking at thousands of operands takes its time.
        let files = [settings.traceFile, settings.statisticsFile, settings.reportFile].compactMap(\.self)
        if !files.isEmpty { try Self.checkNames(files, operands, settings) }
        let inputs = files.isEmpty ? [] : operands.compactMap(Input.identity)
        let trace = try settings.traceFile.map { path throws(Complaint) in
            try TraceFile(path, inputs: inputs, settings, console)
        }
        statisticsFile = try Self.open(settings.statisticsFile, inputs, settings, console)
        reportFile = try Self.open(settings.reportFile, inputs, settings, console)
        let recorder = settings.wantsStatistics ? Recorder(keepsTimeline: settings.reportFile != nil) : nil
        run = recorder == nil ? nil : settings.run(of: operands)
        let progress = Progress(isTesting: !settings.verb.operation.hasOutput)
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

    /// - Throws: if the command line names one file for two outputs, or none. Names that differ, of one file, are noticed at the end.
    private static func checkNames(
        _ files: [FilePath], _ operands: [FilePath], _ settings: Settings
    ) throws(Complaint) {
        var names = Set(operands.compactMap(settings.derivedName).map { $0.lexicallyNormalized() })
        if case .path(let path) = settings.output { names = [path.lexicallyNormalized()] }
        for path in files {
            if path == Input.standardInput {
                throw Complaint("what is said about a run goes to a file, not to -", hint: "./- is a file of that name")
            }
            // Pipes and devices may be written by many.
            guard (try? FileIdentity(at: path))?.kind ?? .file == .file else { continue }
            if !names.insert(path.lexicallyNormalized()).inserted {
                throw Complaint(path, "is named for two outputs")
            }
        }
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
    consuming func report(_ outcome: Statistics.Outcome) -> Bool {
        var complaints: [Complaint] = []
        let attempt = { (write: () throws(Complaint) -> Void) in
            do throws(Complaint) { try write() } catch { complaints.append(error) }
        }
        attempt { () throws(Complaint) in try trace?.finish() }
        if let recorder, let run {
            let statistics = Statistics(recorder, monitor, run, outcome)
            if settings.statistics == .text { console.write(statistics.table) }
            if settings.statistics == .json { console.write(JSON.page(statistics) + "\n") }
            attempt { () throws(Complaint) in try Self.write(JSON.page(statistics) + "\n", to: statisticsFile.take()) }
            if let drawing = recorder.drawing {
                attempt { () throws(Complaint) in
                    try Self.write(Report(statistics, drawing).page, to: reportFile.take())
                }
            }
        }
        let isComplete = outcome.ending == .success
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
