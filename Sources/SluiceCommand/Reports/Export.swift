import SluiceEngine

/// A form of reporting a run. `Settings.exports` lists those that were asked for.
struct Export: Sendable {
    /// The output file; nil for standard error.
    let file: ExportFile?
    /// Receives the spans of the run; nil if the statistics are enough.
    var observe: SpanObserver?
    /// Makes the text at the end, if there is any; nil for a trace, which is written during the run.
    var text: (@Sendable (StatisticsDocument) -> String?)?

    /// `--stats`: a table for people, with the sentence that names the bottleneck.
    static let table = Export(file: nil, text: { $0.table })

    /// `--stats=json` and `--stats-file`: the statistics as a JSON object.
    static func statistics(_ path: FilePath?) -> Export {
        Export(file: path.map { .statistics($0) }, text: { JSON.page($0) + "\n" })
    }

    /// `--stats-file` with `--part`, if it names a directory: statistics of the part, in a file named by its number. A
    /// part that is made again replaces them.
    static func partStatistics(_ path: FilePath) -> Export {
        var file = ExportFile.statistics(path)
        file.replaces = true
        let text = { @Sendable (page: StatisticsDocument) -> String? in
            // A run that found its part done keeps the statistics of the run that made it.
            if page.statistics.bytesIn == 0, (try? FileIdentity(at: path)) != nil { return nil }
            return JSON.page(page) + "\n"
        }
        return Export(file: file, text: text)
    }

    /// `--report`: an HTML page that draws diagrams and figures.
    ///
    /// - Parameter start: of the monotonic clock, in nanoseconds (`StageSpan.now`).
    static func report(_ path: FilePath, since start: UInt64) -> Export {
        let timeline = Locked(Timeline(start: start))
        return Export(
            file: ExportFile(path: path, option: "--report", opening: HTMLReport.opening),
            observe: { span in timeline.withLock { $0.record(span) } },
            text: { page in HTMLReport.page(page, timeline.withLock { $0 }) })
    }

    /// `--trace`: the stages' spans as Chrome trace events.
    static func trace(_ path: FilePath) -> Export {
        Export(file: ExportFile(path: path, option: "--trace", opening: Trace.opening))
    }
}

/// The destination of an export: a `SideFile`, or standard error.
protocol Page: Sendable {
    /// Appends text.
    ///
    /// - Throws: why it can't be written.
    func write(_ text: String) throws(Complaint)
    /// Completes the output.
    func finish() throws(Complaint)
}

extension Console: Page {
    func finish() {}
}

/// A file to export to. An earlier one of its kind is recognised by its first bytes.
struct ExportFile: Sendable {
    let path: FilePath
    /// The option that writes it.
    let option: String
    /// The beginning of every file of this kind, and of hardly any other.
    let opening: String
    /// Whether an earlier file of this kind is replaced even if it appears during the run.
    var replaces = false

    static func statistics(_ path: FilePath) -> ExportFile {
        ExportFile(path: path, option: "--stats-file", opening: "{\n  \"bytesIn\" : ")
    }
}
