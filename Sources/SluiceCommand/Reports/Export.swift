import Sluice

/// A form of reporting a run. `Settings.exports` lists those that were asked for.
struct Export: Sendable {
    /// The output file; nil for standard error.
    let file: ExportFile?
    /// What must be recorded for it.
    let needs: Recording
    /// Makes the text at the end, if there is any; nil for a trace, which is written during the run.
    var text: (@Sendable (Record) -> String?)?

    /// The recorded run.
    struct Record: Sendable {
        let statistics: Statistics
        /// Nil unless an export needs it.
        let timeline: Timeline?
    }

    /// `--stats`: a table for people, with the sentence that names the bottleneck.
    static let table = Export(file: nil, needs: .statistics) { $0.statistics.table }

    /// `--stats=json` and `--stats-file`: the statistics as a JSON object.
    static func statistics(_ path: FilePath?) -> Export {
        Export(file: path.map { .statistics($0) }, needs: .statistics) { JSON.page($0.statistics) + "\n" }
    }

    /// `--stats-file` with `--part`, if it names a directory: statistics of the part, in a file named by its number. A
    /// part that is made again replaces them.
    static func partStatistics(_ path: FilePath) -> Export {
        var file = ExportFile.statistics(path)
        file.replaces = true
        return Export(file: file, needs: .statistics) { record in
            // A run that found its part done keeps the statistics of the run that made it.
            if record.statistics.bytesIn == 0, (try? FileIdentity(at: path)) != nil { return nil }
            return JSON.page(record.statistics) + "\n"
        }
    }

    /// `--report`: an HTML page with diagrams and figures.
    static func report(_ path: FilePath) -> Export {
        let file = ExportFile(path: path, option: "--report", opening: Report.opening)
        return Export(file: file, needs: .timeline) { record in
            guard let timeline = record.timeline else { preconditionFailure("a timeline is kept for who needs it") }
            return Report(statistics: record.statistics, timeline: timeline).page
        }
    }

    /// `--trace`: the stages' spans as Chrome trace events.
    static func trace(_ path: FilePath) -> Export {
        Export(file: ExportFile(path: path, option: "--trace", opening: Trace.opening), needs: .nothing)
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

/// What is recorded of a run; each case includes the one before.
enum Recording: Comparable, Sendable {
    case nothing
    /// Totals and latencies of each stage, and a description of the machine.
    case statistics
    /// The course of the run over time and along its data.
    case timeline
}
