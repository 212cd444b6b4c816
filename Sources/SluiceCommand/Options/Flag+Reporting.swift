import SluiceEngine

/// Options for messages, progress and reports.
extension Flag {
    private static let withoutStatistics = "lists of frames, benchmarks and training have none"

    static let reporting: [Flag] = [
        Flag(.quiet) { $0.reporting.quietness += 1 }.letter("q")
            .help("No summary and no warnings; twice: no errors either.")
            .common("no summary and no warnings")
            .zstd("same"),
        Flag(.verbose) { $0.reporting.verbosity += 1 }.letter("v")
            .help("Also report threads, frames and memory.")
            .manual("Twice: also what the process may touch, and which way a run goes and why.")
            .common("also report threads, frames and memory")
            .zstd("reports more", "messages differ"),
        Flag(.progress, .words(ProgressStyle.self).or(ProgressStyle.bar.rawValue).off(.none)) {
            $0.reporting.progress = $1
        }
        .negatable()
        .help("Show progress as a bar (auto, the default: only on a terminal), lines, or JSON.")
        .manual(
            """
            plain is a line every 3 seconds, json an object a second. By default there is no bar that could get in the \
            way of the data: where it goes to the terminal itself, or decompressed to a pipe, which may lead to a pager.
            """
        )
        .zstd("same", spelled: "`--[no-]progress`"),
        Flag(.interval, .number("SECONDS", "seconds, 0.05 to 3600", "1", in: 0.05...3600)) {
            $0.reporting.interval = $1
        }
        .help("Seconds between updates of the bar, or lines.")
        .manual(
            """
            0.05 to 3600; by default 0.1 for the bar, 1 for JSON, and 3 for lines, of which there is at most one a second.
            """
        ),
        Flag(.name, .text("TEXT", "a text", "backup")) { $0.reporting.label = $1.withoutSecrets.printable }
            .help("Show TEXT in the bar in place of the file name."),
        Flag(.stats, .words(StatisticsStyle.self).or(StatisticsStyle.text.rawValue)) {
            $0.reporting.statistics = $1
        }
        .help("Report at the end what each stage did and what limited the run.")
        .common("report at the end what limited the run")
        .warns(without: .statistics, withoutStatistics),
        Flag(.statsFile, .file("stats.json")) { $0.reporting.statisticsFile = $1 }
            .help("Write the statistics to FILE, as JSON.")
            .warns(without: .statistics, withoutStatistics),
        Flag(.trace, .file("trace.json")) { $0.reporting.traceFile = $1 }
            .help("Write a trace of every stage to FILE, for Perfetto.")
            .warns(without: .statistics, withoutStatistics)
            .zstd(
                "writes a trace for Perfetto; for figures use `--stats-file`",
                "zstd's is a line of figures for each run",
                spelled: "`--trace LOG`"),
        Flag(.report, .file("report.html")) { $0.reporting.reportFile = $1 }
            .help("Write a report with diagrams to FILE, as one HTML page.")
            .warns(without: .statistics, withoutStatistics),
    ]
}
