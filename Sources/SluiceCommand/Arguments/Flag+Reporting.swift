import Sluice
import SystemPackage

/// What is said of a run.
extension Flag {
    static let reporting = Group(
        title: "Progress and reports",
        flags: [
            Flag("quiet", "No summary and no warnings; twice: no errors either.") {
                $0.settings.reporting.quietness += 1
            }
            .letter("q").common("no summary and no warnings").zstd("same"),
            Flag("verbose", "Also report threads, frames and memory.") { $0.settings.reporting.verbosity += 1 }
                .letter("v").common("also report threads, frames and memory").zstd("says more", "messages are ours"),
            Flag(
                "progress", .words(ProgressStyle.self).or(ProgressStyle.bar.rawValue),
                "Show progress as a bar (auto, the default: only on a terminal), lines, JSON, or percent.",
                manual: """
                    plain is a line every 3 seconds, json an object a second, percent a number a second for dialog(1).
                    """
            ) { $0.settings.reporting.progress = $1.isOn ? try $1.choice() : ProgressStyle.none }
            .negatable().zstd("same", "both ways", spelled: "`--[no-]progress`"),
            Flag(
                "interval", .text("SECONDS", "seconds", "1"), "Seconds between updates of the bar, or lines."
            ) { $0.settings.reporting.interval = try $1.number(in: 0.05...3600, "seconds, 0.05 to 3600") },
            Flag("name", .text("TEXT", "a text", "backup"), "Show TEXT in the bar in place of the file name.") {
                $0.settings.reporting.label = $1.text.printable
            },
            Flag(
                "stats", .words(StatisticsStyle.self).or(StatisticsStyle.text.rawValue),
                "Report at the end what each stage did and what limited the run."
            ) { $0.settings.reporting.statistics = try $1.choice() }
            .common("report at the end what limited the run"),
            Flag("stats-file", .file(), "Write the statistics to FILE, as JSON.") { $0.statisticsFile = try $1.path() },
            Flag("trace", .file(), "Write a trace of every stage to FILE, for Perfetto.") {
                $0.traceFile = try $1.path()
            }
            .zstd(
                "a trace for Perfetto; `--stats-file`", "zstd's is a line of figures for each run",
                spelled: "`--trace LOG`"),
            Flag("report", .file(), "Write a report with diagrams to FILE, as one HTML page.") {
                $0.reportFile = try $1.path()
            },
        ])
}
