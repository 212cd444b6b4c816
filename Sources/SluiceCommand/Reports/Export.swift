import SystemPackage

/// A form of reporting a run, a type each. `ReportingSettings.exports` lists those that were asked for.
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
