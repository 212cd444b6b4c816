/// What a file is that tells of a run, as its first bytes say.
struct ExportKind {
    /// What asks for it, as it is typed.
    let option: String
    /// What each of them begins with, and hardly anything else.
    let opening: String

    static let report = ExportKind(option: "--report", opening: Report.opening)
    static let statistics = ExportKind(option: "--stats-file", opening: "{\n  \"bytesIn\" : ")
    static let trace = ExportKind(option: "--trace", opening: Trace.opening)
}
