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
