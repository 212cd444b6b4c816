import Sluice

/// A form of reporting a run. `Settings.exports` lists those that were asked for.
struct Export: Sendable {
    /// The output file; nil for standard error.
    let file: ExportFile?
    /// What must be recorded for it.
    let needs: Recording
    /// Starts the export before the run. The page receives the text, and the console warnings about it.
    let open: @Sendable (any Page, Console) -> OpenExport

    /// `--stats`: a table for people, with the sentence that names the bottleneck.
    static let table = Export(nil, .statistics) { $0.statistics.table }

    /// `--stats=json` and `--stats-file`: the statistics as a JSON object.
    static func statistics(_ path: FilePath?) -> Export {
        Export(path.map { .statistics($0) }, .statistics) { JSON.page($0.statistics) + "\n" }
    }

    /// `--stats-file` with `--part`, if it names a directory: statistics of the part, in a file named by its number. A
    /// part that is made again replaces them.
    static func partStatistics(_ path: FilePath) -> Export {
        var file = ExportFile.statistics(path)
        file.replaces = true
        return Export(file, .statistics) { record in
            // A run that found its part done keeps the statistics of the run that made it.
            if record.statistics.bytesIn == 0, (try? FileIdentity(at: path)) != nil { return nil }
            return JSON.page(record.statistics) + "\n"
        }
    }

    /// `--report`: an HTML page with diagrams and figures.
    static func report(_ path: FilePath) -> Export {
        Export(ExportFile(path: path, option: "--report", opening: Report.opening), .timeline) { record in
            guard let timeline = record.timeline else { preconditionFailure("a timeline is kept for who needs it") }
            return Report(statistics: record.statistics, timeline: timeline).page
        }
    }

    /// `--trace`: the stages' spans as Chrome trace events.
    static func trace(_ path: FilePath) -> Export {
        let file = ExportFile(path: path, option: "--trace", opening: Trace.opening)
        return Export(file: file, needs: .nothing) { page, console in
            let trace = Trace(on: page)
            return OpenExport(observe: trace.observe) { _ throws(Complaint) in
                let dropped = try trace.finish()
                guard dropped > 0 else { return }
                console.warn(
                    """
                    \(path.printable): \(dropped) \(dropped == 1 ? "event was" : "events were") dropped: \
                    they came faster than they could be written
                    """)
            }
        }
    }
}

extension Export {
    /// Creates an export that is written as a whole at the end, unless there is no text.
    private init(
        _ file: ExportFile?, _ needs: Recording, text: @escaping @Sendable (OpenExport.Record) -> String?
    ) {
        self.init(file: file, needs: needs) { page, _ in
            OpenExport(observe: nil) { record throws(Complaint) in
                guard let record else { preconditionFailure("a run is recorded for who needs it") }
                guard let text = text(record) else { return }
                try page.write(text)
                try page.finish()
            }
        }
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

/// An export during the run.
struct OpenExport: Sendable {
    /// The recorded run.
    struct Record: Sendable {
        let statistics: Statistics
        /// Nil unless an export needs it.
        let timeline: Timeline?
    }

    /// Receives the stages' spans; nil for an export that only needs the record.
    let observe: SpanObserver?
    /// Completes the export; the record is nil if no export needs one.
    let finish: @Sendable (Record?) throws(Complaint) -> Void
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

/// What is recorded of a run; each case includes the one before.
enum Recording: Comparable, Sendable {
    case nothing
    /// Totals and latencies of each stage, and a description of the machine.
    case statistics
    /// The course of the run over time and along its data.
    case timeline
}
