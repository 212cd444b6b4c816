import Testing

@testable import Sluice
@testable import SluiceCommand

@Suite struct ReportTests {
    private func page(
        _ activity: Statistics.Activity = .compress, _ files: [String] = ["a"], _ spans: [Span] = [],
        _ outcome: Statistics.Outcome = Statistics.Outcome(.success, files: 1, failedFiles: 0),
        _ change: (inout Statistics) -> Void = { _ in }
    ) -> String {
        let start = Span.now()
        let recorder = Recorder(start: start)
        var timeline = Timeline(start: start)
        for span in spans {
            recorder.observe(span)
            timeline.record(span)
        }
        var run = Statistics.Run(
            activity, threads: 2, date: "2026-01-02T03:04:05+01:00", sluiceVersion: "1", libzstdVersion: "2")
        (run.inputs, run.inputCount) = (files, files.count)
        var statistics = Statistics(recorder, Monitor([]), run, outcome) { $0.sentence(of: activity) }
        change(&statistics)
        return Report(statistics: statistics, timeline: timeline).page
    }

    @Test(arguments: [Statistics.Activity.compress, .decompress, .test, .copy])
    func `a run in which nothing happened has a page`(_ activity: Statistics.Activity) {
        let page = page(activity)
        #expect(page.hasSuffix("</html>\n"))
        #expect(!page.contains("nan") && !page.contains("NaN"))
    }

    @Test func `names are escaped`() {
        let page = page(.compress, ["<script>&\"'"])
        #expect(page.contains("<h1>compress &lt;script&gt;&amp;&quot;&#39;</h1>"))
    }

    @Test func `nothing in the statistics can end their element`() {
        let page = page { $0.verdict = "limited by </script><!--" }
        #expect(!page.contains("</script><!--"))
        #expect(page.contains("\\u003c"))
    }

    @Test func `the headline says what failed`() {
        let failed = Statistics.Outcome(.failure, error: "a: can't read: <&>", files: 0, failedFiles: 1)
        let page = page(.decompress, ["a"], [], failed)
        #expect(page.contains("<h1>decompress a: failed</h1>"))
        #expect(page.contains("id=\"verdict\">failed: a: can&#39;t read: &lt;&amp;&gt;</p>"))
        let interrupted = Statistics.Outcome(.interrupted, error: "interrupted by SIGINT", files: 0, failedFiles: 1)
        #expect(self.page(.test, ["a"], [], interrupted).contains("<h1>test a: interrupted</h1>"))
    }

    @Test func `a ratio is that of the sizes beside it, or left out where these are of other content`() {
        let spans = [
            Span(stage: .read, bytes: 46 << 20, start: 0, end: 1),
            Span(stage: .order, bytes: 384 << 20, source: 40 << 20, start: 0, end: 1),
            Span(stage: .write, bytes: 384 << 20, start: 0, end: 1),
        ]
        let failed = Statistics.Outcome(.failure, error: "no", files: 0, failedFiles: 1)
        #expect(!page(.decompress, ["a"], spans, failed).contains(">ratio"))
        #expect(page(.decompress, ["a"], spans).contains(">8.35x<"))
        let range = [Span(stage: .order, bytes: 1 << 20, source: 1 << 20, start: 0, end: 1)]
        #expect(!page(.decompress, ["a"], spans + range).contains(">ratio"))
    }

    @Test func `what was run is told, and what was not asked for is not`() {
        let page = page {
            $0.run.level = 19
            $0.run.rateLimitBytesPerSecond = 10 << 20
        }
        for item in [("level", "19"), ("threads", "2"), ("rate limit", "10.0 MiB/s"), ("sluice", "1, libzstd 2")] {
            #expect(page.contains("<dt>\(item.0)</dt><dd>\(item.1)</dd>"))
        }
        #expect(page.contains("<time datetime=\"2026-01-02T03:04:05+01:00\">2026-01-02 03:04:05+01:00</time>"))
        #expect(!page.contains("<dt>buffer</dt>"))
        let decompression = self.page(.decompress) { $0.run.rateLimitBytesPerSecond = 1 }
        #expect(decompression.contains("<dt>rate limit, of compressed bytes</dt>"))
    }

    @Test func `a step of a diagram is told`() {
        let spans = [Span(stage: .order, bytes: 1 << 20, source: 4 << 20, start: 0, end: 0)]
        let page = page(.compress, ["a"], spans) {
            $0.elapsedSeconds = 2
            $0.slots = 4
        }
        #expect(page.split(separator: " A step is 40 ms.").count == 4)
        #expect(page.contains(" A step is 1.00 MiB of the input."))
        // What is one step as a whole has none.
        #expect(!self.page(.compress) { $0.elapsedSeconds = 0.01 }.contains("A step is"))
    }

    @Test(arguments: [(0.02, "20 ms"), (0.64, "640 ms"), (1.28, "1.28 s"), (40, "40 s"), (5242.88, "87.38 min")])
    func `a step is a short time`(_ seconds: Double, _ text: String) {
        #expect(Scale.text(ofSeconds: seconds) == text)
    }

    @Test func `many files are counted`() {
        let page = page(.copy, (1...120).map { "file\($0)" })
        #expect(page.contains("<h1>copy 120 files</h1>"))
        #expect(page.contains("file5 and 115 more"))
    }

    @Test(arguments: [0, 1e-9, 0.02, 1e9, 1e300, .infinity, .nan, -1] as [Double])
    func `extreme times are drawn or left out`(_ seconds: Double) {
        let spans = [
            Span(stage: .read, bytes: 1, start: 0, end: 1), Span(stage: .order, bytes: 0, source: 0, start: 0, end: 0),
            Span(stage: .write, bytes: .max, start: 0, end: .max / 2),
            Span(stage: .order, bytes: 1, source: 1 << 50, start: 0, end: 1),
        ]
        let page = page(.compress, ["a"], spans) { $0.elapsedSeconds = seconds }
        #expect(page.hasSuffix("</html>\n"))
        #expect(page.utf8.count < 200_000)
    }
}

@Suite struct AxisTests {
    @Test(
        arguments: [
            (0, ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]), (1, ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
            (7, ["0", "2", "4", "6", "8"]), (240, ["0", "50", "100", "150", "200", "250"]),
            (0.0031, ["0", "0.001", "0.002", "0.003", "0.004"]),
        ] as [(Double, [String])])
    func `ticks are few and round`(_ most: Double, _ labels: [String]) {
        let axis = Axis(upTo: most, unit: "s", endsAtTick: true)
        #expect(axis.ticks.map(axis.label) == labels)
    }

    @Test(arguments: [1e-300, 1e-9, 1, 12.5, 99.9999, 1e15, 1e300] as [Double], [true, false])
    func `every value has a place, and few ticks`(_ most: Double, _ endsAtTick: Bool) {
        let axis = Axis(upTo: most, unit: "", endsAtTick: endsAtTick)
        #expect((0...1).contains(axis.position(of: most)))
        #expect(axis.position(of: 0) == 0)
        #expect(axis.position(of: .nan) == 0)
        #expect((1...7).contains(axis.ticks.count))
    }

    @Test func `a wide range has powers of ten`() {
        let axis = Axis(logarithmicFrom: 0.9999, to: 20_000, unit: "x")
        #expect(axis.ticks.map(axis.label) == ["1", "10", "100", "1000", "10000", "100000"])
        #expect(axis.position(of: 0.9999) == 0)
    }

    @Test func `stretches keep the sum, and the last takes what is left`() {
        var series = Timeline.Series(width: 10)
        for position in stride(from: UInt64(0), to: 1010, by: 10) { series.add(1, at: position) }
        let stretches = series.stretches(of: 40, upTo: 1010)
        #expect(stretches.reduce(0) { $0 + $1.sum } == 101)
        #expect(stretches.allSatisfy { abs($0.sum / $0.length - 0.1) < 1e-12 })
    }
}
