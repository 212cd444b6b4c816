import Sluice
import SystemPackage

/// `--stats-file` with `--part`, if it names a directory: statistics of the part, in a file named by its number.
struct PartStatisticsObject: Export {
    let file: FilePath
    var path: FilePath? { file }
    let kind: ExportKind? = .statistics
    let needs = Recording.statistics
    /// A part that is made again replaces its statistics.
    let replaces = true

    func open(_ page: any Page, _ console: Console) -> OpenExport {
        OpenExport(observe: nil) { [file] record throws(Complaint) in
            guard let statistics = record?.statistics else { return }
            // A run that found its part done keeps the statistics of the run that made it.
            if statistics.bytesIn == 0, (try? FileIdentity(at: file)) != nil { return }
            try page.write(JSON.page(statistics) + "\n")
            try page.finish()
        }
    }
}
