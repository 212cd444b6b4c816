import SystemPackage

/// `--stats=json` and `--stats-file`: the statistics as a JSON object.
struct StatisticsObject: Export {
    let path: FilePath?
    let needs = Recording.statistics
    var kind: ExportKind? { path == nil ? nil : .statistics }

    func open(_ page: any Page, _ console: Console) -> OpenExport {
        OpenExport(on: page) { JSON.page($0.statistics) + "\n" }
    }
}
