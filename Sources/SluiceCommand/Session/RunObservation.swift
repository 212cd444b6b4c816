import SluiceEngine

/// Observes a command: shows its progress, and writes statistics, traces and reports at the end.
struct RunObservation {
    let monitor: Monitor
    let display: ProgressDisplay
    /// Whether progress is shown or anything is exported.
    let isWatching: Bool
    private let console: Console
    private let recorder: Recorder?
    private let settings: Settings
    private let date = LocalTime.now.iso
    private let exports: [(Export, any Page)]
    private let trace: Trace?
    /// The largest window that the last run accepted, in bytes: it depends on the available memory.
    private let windowLimit: Locked<UInt64?>
    /// Whether all exports could be written; nil before that. A call that dies of a signal may end twice at the same
    /// time.
    private let isReported = Locked<Bool?>(nil)

    /// Opens the files for statistics, traces and reports.
    ///
    /// - Throws: why one of them can't be written.
    init(_ protected: ProtectedFiles, _ settings: Settings, _ console: Console) throws(Complaint) {
        let asked = settings.exports(since: console.start)
        exports = try Self.open(asked, protected, settings, console)
        let recorder = asked.contains { $0.text != nil } ? Recorder(start: console.start) : nil
        let progress = ProgressCounter()
        var observers: [SpanObserver] = [progress.observe]
        if let recorder { observers.append(recorder.observe) }
        observers += asked.compactMap { $0.observe }
        trace = exports.first { export, _ in export.text == nil }.map { Trace(on: $1, start: console.start) }
        if let trace { observers.append(trace.observe) }
        monitor = Monitor(observers)
        let style = settings.progressStyle
        let total = TotalSize(settings, isShown: style != .none)
        display = ProgressDisplay(style, of: total, progress, monitor, settings, console)
        isWatching = !exports.isEmpty || style != .none
        self.console = console
        self.recorder = recorder
        self.settings = settings
        windowLimit = Locked(settings.activity.content == .output ? settings.decoding.windowLimit : nil)
    }

    /// Notes the largest window that a run accepts, in bytes; nil if it decodes nothing.
    func note(windowLimit limit: UInt64?) {
        if let limit { windowLimit.withLock { $0 = limit } }
    }

    private static func open(
        _ exports: [Export], _ protected: ProtectedFiles, _ settings: Settings, _ console: Console
    ) throws(Complaint) -> [(Export, any Page)] {
        // Most runs have none, and looking up thousands of operands takes time.
        let files = exports.compactMap(\.file?.path)
        if !files.isEmpty || settings.decoding.indexFile != nil { try checkNames(files, settings) }
        let inputs = files.isEmpty ? [] : settings.operands.compactMap(Operand.identity)
        return try exports.map { export throws(Complaint) -> (Export, any Page) in
            guard let file = export.file else { return (export, console) }
            try protected.refuseSource(file.path)
            return (export, try SideFile(file, inputs: inputs, settings))
        }
    }

    /// - Throws: if the command line names one file for two outputs, or `-`. Different names of one file are noticed at
    ///   the end.
    private static func checkNames(_ files: [FilePath], _ settings: Settings) throws(Complaint) {
        var names = Set(settings.operands.compactMap(settings.derivedName).map { $0.lexicallyNormalized() })
        if let path = settings.output.destination.path { names = [path.lexicallyNormalized()] }
        func add(_ path: FilePath) throws(Complaint) {
            if !names.insert(path.lexicallyNormalized()).inserted { throw Complaint(path, "is named for two outputs") }
        }
        if let index = settings.decoding.indexFile { try add(index) }
        for path in files {
            if path == "-" {
                throw Complaint(
                    "statistics, traces and reports need a file, not -", hint: "for a file named -, write ./-")
            }
            // Several writers may share a pipe or device.
            guard (try? FileIdentity(at: path))?.kind ?? .file == .file else { continue }
            try add(path)
        }
    }

    /// Writes all exports.
    ///
    /// - Returns: whether all of them could be written.
    func report(_ outcome: RunOutcome) -> Bool {
        isReported.withLock { isReported in
            let isComplete = isReported ?? write(outcome)
            isReported = isComplete
            return isComplete
        }
    }

    private func write(_ outcome: RunOutcome) -> Bool {
        let statistics = statisticsDocument(outcome)
        var complaints: [Complaint] = []
        for (export, page) in exports {
            do throws(Complaint) { try finish(export, on: page, statistics) } catch { complaints.append(error) }
        }
        let isComplete = outcome.ending == .success
        for complaint in complaints {
            console.error(complaint.sentence, hint: isComplete ? "the output itself is complete" : nil)
        }
        return complaints.isEmpty
    }

    private func finish(_ export: Export, on page: any Page, _ statistics: StatisticsDocument?) throws(Complaint) {
        if let text = export.text {
            guard let statistics else { preconditionFailure("statistics were asked for, but not recorded") }
            guard let text = text(statistics) else { return }
            try page.write(text)
            try page.finish()
        } else if let dropped = try trace?.finish(), dropped > 0, let path = export.file?.path {
            console.warn(
                """
                \(path.printable): \(dropped) \(dropped == 1 ? "event was" : "events were") dropped: \
                they came faster than they could be written
                """)
        }
    }

    private func statisticsDocument(_ outcome: RunOutcome) -> StatisticsDocument? {
        guard let recorder else { return nil }
        let (activity, command) = (settings.activity, settings.input.command)
        let statistics = RunStatistics(
            recorder, monitor, content: activity.content, hasRateLimit: settings.limits.rate?.fixed != nil)
        let references = [
            settings.references.dictionaryFile.map { "dictionary \($0.printable)" },
            settings.references.patchFile.map { "patch of \($0.printable)" },
        ]
        return StatisticsDocument(
            activity: activity, statistics: statistics, outcome: outcome, command: command?.usage,
            bottleneck: statistics.verdict.sentence(
                of: activity, from: command?.name.printable, isSent: settings.output.destination.object != nil),
            run: RunDescription(settings: settings, date: date, windowLimit: windowLimit.withLock { $0 }),
            references: references.compactMap(\.self))
    }
}
