import Sluice
import SystemPackage

/// `--trace`: the stages' spans as Chrome trace events.
struct TraceFile: Export {
    let path: FilePath?
    let kind: ExportKind? = .trace
    let needs = Recording.nothing

    func open(_ page: any Page, _ console: Console) -> OpenExport {
        let trace = Trace(on: page)
        return OpenExport(observe: trace.observe) { [path] _ throws(Complaint) in
            let dropped = try trace.finish()
            guard dropped > 0, let path else { return }
            console.warn(
                """
                \(path.printable): \(dropped) \(dropped == 1 ? "event was" : "events were") dropped: \
                they came faster than they could be written
                """)
        }
    }
}
