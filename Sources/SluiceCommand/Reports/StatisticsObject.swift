import SystemPackage

/// `--stats=json` and `--stats-file`: the statistics as one JSON object, for programs.
struct StatisticsObject: Export {
    let path: FilePath?
    let needs = Recording.statistics
    var kind: ExportKind? { path == nil ? nil : .statistics }

    func open(_ page: any Page, _ console: Console) -> OpenExport {
        OpenExport(on: page) { JSON.page($0.statistics) + "\n" }
    }
}
