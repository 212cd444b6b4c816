import SystemPackage

/// `--report`: an HTML page with diagrams and figures.
struct ReportFile: Export {
    let path: FilePath?
    let kind: ExportKind? = .report
    let needs = Recording.timeline

    func open(_ page: any Page, _ console: Console) -> OpenExport {
        OpenExport(on: page) { record in
            guard let timeline = record.timeline else { preconditionFailure("a timeline is kept for who needs it") }
            return Report(statistics: record.statistics, timeline: timeline).page
        }
    }
}
