import Testing

@testable import SluiceCommand
@testable import SluiceEngine

/// What its script draws is tried by scripts (`statistics/the-report-…`).
@Suite struct HTMLReportTests {
    private func page(_ activity: Activity = .compress, verdict: String = "limited by its size") -> String {
        let start = StageSpan.now()
        let statistics = RunStatistics(Recorder(start: start), Monitor([]), content: activity.content)
        let page = StatisticsDocument(
            activity: activity, statistics: statistics, outcome: RunOutcome(.success, files: 1, failedFiles: 0),
            bottleneck: verdict, run: true)
        return HTMLReport.page(page, Timeline(start: start))
    }

    @Test(arguments: [Activity.compress, .decompress, .test, .copy])
    func `a run in which nothing happened has a page`(_ activity: Activity) {
        #expect(page(activity).hasSuffix("</html>\n"))
        #expect(page(activity).hasPrefix(HTMLReport.opening))
        #expect(page(activity).contains("\"content\":\"\(activity.content)\",\"hasOutput\":\(activity.hasOutput)"))
    }

    @Test func `each heading is in the words of the page, and not in those of the code`() {
        let headings = page().matches(of: /<h2>([^<]*)<\/h2>/).map { String($0.output.1) }
        #expect(headings == ["What the stages did", "Process", "What was run"])
    }

    @Test func `nothing in the statistics can end their element`() {
        let page = page(verdict: "limited by </script><!--")
        #expect(!page.contains("by </script>") && !page.contains("<!--"))
        #expect(page.contains("limited by \\u003c/script>\\u003c!--"))
    }

    @Test func `hardly any other file begins as a report does`() {
        #expect(HTMLReport.opening.contains("<title>sluice: "))
        #expect(HTMLReport.opening.utf8.count < 1000)
    }
}
