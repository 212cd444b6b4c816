/// How progress is shown.
enum ProgressStyle: String, CaseIterable, Sendable {
    /// A bar if standard error is a terminal.
    case auto
    case bar
    /// A line every few seconds.
    case plain
    /// A JSON object per second, one per line.
    case json
    /// Percentages, one per line.
    case percent
    case none
}
