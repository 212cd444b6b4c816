import Sluice
import SystemPackage

/// Everything that watches a command: the progress that is shown, and the exports that tell of the run when it is over.
struct Instruments {
    let monitor: Monitor
    let display: ProgressDisplay
    /// Whether somebody looks on while the command runs, or wants to be told of it.
    let isWatching: Bool
    private let console: Console
    private let recorder: Recorder?
    private let run: Statistics.Run?
    private let exports: [OpenExport]

    /// Opens the files that will be written about the run.
    ///
    /// - Throws: why one of them can't be written.
    init(
        _ operands: [FilePath], _ made: MadeFiles, _ settings: Settings, _ console: Console
    ) throws(Complaint) {
        exports = try Self.open(settings.exports, operands, made, settings, console)
        let needs = settings.recording
        let recorder = needs == .nothing ? nil : Recorder(keepsTimeline: needs == .timeline)
        run = recorder == nil ? nil : settings.run(of: operands)
        let progress = Progress()
        var observers: [SpanObserver] = [progress.observe]
        if let recorder { observers.append(recorder.observe) }
        monitor = Monitor(observers + exports.compactMap(\.observe))
        display = ProgressDisplay(operands, progress, monitor, settings, console)
        isWatching = !exports.isEmpty || display.isShown
        self.console = console
        self.recorder = recorder
    }

    private static func open(
        _ exports: [any Export], _ operands: [FilePath], _ made: MadeFiles, _ settings: Settings, _ console: Console
    ) throws(Complaint) -> [OpenExport] {
        // Most runs have none, and looking at thousands of operands takes its time.
        let files = exports.compactMap(\.path)
        if !files.isEmpty { try checkNames(files, operands, settings) }
        let inputs = files.isEmpty ? [] : operands.compactMap(Operand.identity)
        return try exports.map { export throws(Complaint) in
            guard let path = export.path, let kind = export.kind else { return export.open(console, console) }
            if made.isSource(path) { throw Complaint(path, "is the input and the output") }
            let file = try SideFile(path, kind, inputs: inputs, replaces: export.replaces, settings, console)
            return export.open(file, console)
        }
    }

    /// - Throws: if the command line names one file for two outputs, or none. Names that differ, of one file, are
    ///   noticed at the end.
    private static func checkNames(
        _ files: [FilePath], _ operands: [FilePath], _ settings: Settings
    ) throws(Complaint) {
        var names = Set(operands.compactMap(settings.derivedName).map { $0.lexicallyNormalized() })
        if case .path(let path) = settings.output { names = [path.lexicallyNormalized()] }
        for path in files {
            if path == Operand.standardInput {
                throw Complaint("what is said about a run goes to a file, not to -", hint: "./- is a file of that name")
            }
            // Pipes and devices may be written by many.
            guard (try? FileIdentity(at: path))?.kind ?? .file == .file else { continue }
            if !names.insert(path.lexicallyNormalized()).inserted {
                throw Complaint(path, "is named for two outputs")
            }
        }
    }

    /// Says what was recorded, wherever it was asked for.
    ///
    /// - Parameter parts: what the runs did that made the parts of what was joined.
    /// - Returns: whether all of it could be written.
    func report(_ outcome: Statistics.Outcome, parts: Statistics.Parts? = nil) -> Bool {
        let record = record(outcome, parts)
        var complaints: [Complaint] = []
        for export in exports {
            do throws(Complaint) { try export.finish(record) } catch { complaints.append(error) }
        }
        let isComplete = outcome.ending == .success
        for complaint in complaints {
            console.error(complaint.sentence, hint: isComplete ? "the data itself is complete" : nil)
        }
        return complaints.isEmpty
    }

    private func record(_ outcome: Statistics.Outcome, _ parts: Statistics.Parts?) -> OpenExport.Record? {
        guard let recorder, let run else { return nil }
        var statistics = Statistics(recorder, monitor, run, outcome) { $0.sentence(of: run.operation) }
        statistics.parts = parts
        return OpenExport.Record(statistics: statistics, timeline: recorder.drawing)
    }
}
