/// What is reported about a run.
struct ReportingSettings: Sendable {
    /// 1 silences warnings and the summary, 2 errors too.
    var quietness = 0
    var verbosity = 0
    var progress = ProgressStyle.auto
    /// Seconds between progress updates; nil for the style's default.
    var interval: Double?
    /// Text to show in place of the file's name.
    var label: String?
    var statistics: StatisticsStyle?
    /// Statistics, traces and reports to write.
    var exports: [Export] = []
    /// Whether listings and losses are printed as JSON.
    var isJSON = false

    /// What to record for the exports.
    var recording: Recording { exports.map(\.needs).max() ?? .nothing }
}

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

/// How the statistics are printed.
enum StatisticsStyle: String, CaseIterable, Sendable {
    case text
    case json
}
