import Sluice

/// A run as one HTML page, with its diagrams.
struct Report {
    private let statistics: Statistics
    private let timeline: Timeline

    init(_ statistics: Statistics, _ timeline: Timeline) {
        self.statistics = statistics
        self.timeline = timeline
    }

    var page: String { "<!doctype html><pre>" + statistics.table + "</pre>\n" }
}
