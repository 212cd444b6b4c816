/// What is said of a run.
struct ReportingSettings: Sendable {
    /// 1 silences warnings and the summary, 2 errors too.
    var quietness = 0
    var verbosity = 0
    var progress = ProgressStyle.auto
    /// Seconds from one line to the next; nil for what suits the style.
    var interval: Double?
    /// Shown in place of the file's name.
    var label: String?
    var statistics: StatisticsStyle?
    /// The forms in which the run is told at its end.
    var exports: [any Export] = []
    /// Whether lists, and losses, are told as JSON.
    var isJSON = false

    /// What has to be kept of the run, to be told at its end.
    var recording: Recording { exports.map(\.needs).max() ?? .nothing }
}
