import Sluice
import SystemPackage

/// `--stats-file` with `--part`, if that is a folder: the statistics of the part, under the name of its number there.
struct PartStatisticsObject: Export {
    let file: FilePath
    var path: FilePath? { file }
    let kind: ExportKind? = .statistics
    let needs = Recording.statistics
    /// A part that is made again tells of itself anew.
    let replaces = true

    func open(_ page: any Page, _ console: Console) -> OpenExport {
        OpenExport(observe: nil) { [file] record throws(Complaint) in
            guard let statistics = record?.statistics else { return }
            // Who found the part done has nothing to tell: what tells of its making stays.
            if statistics.bytesIn == 0, (try? FileIdentity(at: file)) != nil { return }
            try page.write(JSON.page(statistics) + "\n")
            try page.finish()
        }
    }
}
