import SystemPackage

/// One form in which a run is told: a type each, in a file of its own. `Settings.exports` lists those that were asked
/// for.
protocol Export: Sendable {
    /// The file that it goes to; nil for standard error.
    var path: FilePath? { get }
    /// What that file is; nil for standard error.
    var kind: ExportKind? { get }
    /// What the command has to keep of the run for it.
    var needs: Recording { get }
    /// Whether a file of that name gives way without a word.
    var replaces: Bool { get }
    /// Begins, before the run does.
    ///
    /// - Parameters:
    ///   - page: where it is written.
    ///   - console: for what else there is to say about it.
    func open(_ page: any Page, _ console: Console) -> OpenExport
}

extension Export {
    var replaces: Bool { false }
}
