import SystemPackage

/// `--stats`: a table for people, with the sentence that names the bottleneck.
struct StatisticsTable: Export {
    let path: FilePath? = nil
    let kind: ExportKind? = nil
    let needs = Recording.statistics

    func open(_ page: any Page, _ console: Console) -> OpenExport {
        OpenExport(on: page) { $0.statistics.table }
    }
}
