import Sluice

/// A report of a run as one self-contained HTML page: figures, diagrams and the statistics themselves.
struct Report {
    let statistics: Statistics
    let timeline: Timeline

    /// The beginning of every report.
    static let opening = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <link rel="icon" href="data:,">
        <title>sluice:\u{20}
        """

    var page: String {
        """
        \(Self.opening)\(HTML.escape(title))</title>
        <style>
        \(Self.style)
        </style>
        </head>
        <body>
        <header>
        <h1>\(HTML.escape(title))</h1>
        <p class="verdict \(statistics.outcome.rawValue)" id="verdict">\(HTML.escape(statistics.verdict))</p>
        <p class="about"><span class="outcome \(statistics.outcome.rawValue)">\(statistics.outcome.rawValue)</span>\
        <span><time datetime="\(run.date)">\(run.date.exchanging("T", for: " "))</time></span>\
        <span>sluice \(HTML.escape(run.sluiceVersion)), libzstd \(HTML.escape(run.libzstdVersion))</span></p>
        </header>
        <main>
        <dl class="figures">
        \(figures)
        </dl>
        <div class="diagrams">
        \(diagrams.map(\.figure).joined(separator: "\n"))
        </div>
        <h2>Stages</h2>
        <div class="scroll" tabindex="0">
        \(stages)
        </div>
        <h2>Process</h2>
        <dl class="figures small">
        \(process)
        </dl>
        <h2>What was run</h2>
        <dl class="run">
        \(runDescription)
        </dl>
        </main>
        \(HTML.script(id: "statistics", json: JSON.page(statistics)))
        </body>
        </html>

        """
    }

    private var run: Statistics.Run { statistics.run }

    private var title: String {
        let what = run.inputCount == 1 ? run.inputs.map(HTML.name).joined() : "\(run.inputCount) files"
        let end =
            switch statistics.outcome {
            case .success: ""
            case .failure: ": failed"
            case .interrupted: ": interrupted"
            }
        return "\(run.operation.name) \(what)\(end)"
    }

    private var figures: String {
        var items = [
            Self.item("in", "bytesIn", statistics.bytesIn, ByteCount.format(statistics.bytesIn)),
            Self.item("out", "bytesOut", statistics.bytesOut, ByteCount.format(statistics.bytesOut)),
        ]
        if let ratio = statistics.ratio {
            items.append(Self.item("ratio", "ratio", ratio, ByteCount.fixed(ratio, digits: 2) + "x"))
        }
        let (elapsed, rate) = (statistics.elapsedSeconds, statistics.contentBytesPerSecond)
        let busy = statistics.workerUtilisation
        let workers = statistics.workers.counted("worker")
        items += [
            Self.item("time", "elapsedSeconds", elapsed, ByteCount.formatSeconds(elapsed)),
            Self.item("rate of content", "contentBytesPerSecond", rate, ByteCount.formatRate(rate)),
            Self.item("busy, of \(workers)", "workerUtilisation", busy, busy.percent),
        ]
        if statistics.files + statistics.failedFiles > 1 || statistics.failedFiles > 0 {
            items += [
                Self.item("files done", "files", statistics.files, "\(statistics.files)"),
                Self.item("files failed", "failedFiles", statistics.failedFiles, "\(statistics.failedFiles)"),
            ]
        }
        return items.joined(separator: "\n")
    }

    private var stages: String {
        let names = ["stage", "bytes", "operations", "busy", "waiting", "while busy", "p50", "p99", "max"]
        let head = names.map { "<th scope=\"col\">\($0)</th>" }.joined()
        return "<table>\n<thead><tr>\(head)</tr></thead>\n<tbody>\n"
            + statistics.stages.map(Self.row).joined(separator: "\n") + "\n</tbody>\n</table>"
    }

    private static func row(_ stage: Statistics.Stage) -> String {
        // A dash in place of a meaningless number.
        let cells = stage.cells(ByteCount.formatSeconds).map { number, text in HTML.data(text ?? "\u{2013}", number) }
        return
            "<tr id=\"stage-\(stage.name)\"><th scope=\"row\">\(stage.label)</th>"
            + cells.map { "<td>\($0)</td>" }.joined() + "</tr>"
    }

    private var process: String {
        let usage = statistics.process
        let counts = [
            ("context switches, voluntary", "voluntaryContextSwitches", usage.voluntaryContextSwitches),
            ("context switches, involuntary", "involuntaryContextSwitches", usage.involuntaryContextSwitches),
            ("page faults, minor", "minorPageFaults", usage.minorPageFaults),
            ("page faults, major", "majorPageFaults", usage.majorPageFaults),
        ]
        let (user, system, memory) = (usage.userSeconds, usage.systemSeconds, usage.peakMemoryBytes)
        let (mean, most) = (statistics.slotsInUseMean, statistics.slotsInUseMax)
        let items = [
            Self.item("CPU, user", "userSeconds", user, ByteCount.formatSeconds(user)),
            Self.item("CPU, system", "systemSeconds", system, ByteCount.formatSeconds(system)),
            Self.item("peak memory", "peakMemoryBytes", memory, ByteCount.format(memory)),
            Self.item("slots in use, mean", "slotsInUseMean", mean, ByteCount.fixed(mean, digits: 1)),
            Self.item("slots in use, maximum of \(statistics.slots)", "slotsInUseMax", most, "\(most)"),
        ]
        return (items + counts.map { Self.item($0, $1, $2, "\($2)") }).joined(separator: "\n")
    }

    /// - Parameter value: the exact number, which programs find by its key.
    private static func item(_ name: String, _ key: String, _ value: some Numeric, _ text: String) -> String {
        "<div><dt>\(HTML.escape(name))</dt><dd>\(HTML.data(text, value, key: key))</dd></div>"
    }
}
