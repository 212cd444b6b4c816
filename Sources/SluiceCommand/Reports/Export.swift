import SystemPackage

/// A form of reporting a run, a type each. `Settings.exports` lists those that were asked for.
protocol Export: Sendable {
    /// The output file; nil for standard error.
    var path: FilePath? { get }
    /// The kind of that file; nil for standard error.
    var kind: ExportKind? { get }
    /// What must be recorded for it.
    var needs: Recording { get }
    /// Whether an existing file of that name is replaced without asking.
    var replaces: Bool { get }
    /// Starts the export before the run.
    ///
    /// - Parameters:
    ///   - page: receives the text.
    ///   - console: receives warnings about it.
    func open(_ page: any Page, _ console: Console) -> OpenExport
}

extension Export {
    var replaces: Bool { false }
}

/// The kind of an exported file, recognised by its first bytes.
struct ExportKind {
    /// The option that writes it.
    let option: String
    /// The beginning of every file of this kind, and of hardly any other.
    let opening: String

    static let report = ExportKind(option: "--report", opening: Report.opening)
    static let statistics = ExportKind(option: "--stats-file", opening: "{\n  \"bytesIn\" : ")
    static let trace = ExportKind(option: "--trace", opening: Trace.opening)
}

/// What is recorded of a run; each case includes the one before.
enum Recording: Comparable, Sendable {
    case nothing
    /// Totals and latencies of each stage, and a description of the machine.
    case statistics
    /// The course of the run over time and along its data.
    case timeline
}
