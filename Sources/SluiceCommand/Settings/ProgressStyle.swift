/// How progress is shown.
enum ProgressStyle: String, CaseIterable, Sendable {
    /// A bar if standard error is a terminal.
    case auto
    case bar
    /// A line every few seconds.
    case plain
    /// An object a second, on a line of its own.
    case json
    /// A number of percent, on a line of its own.
    case percent
    case none
}
