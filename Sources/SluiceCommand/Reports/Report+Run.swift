import Sluice

extension Report {
    /// Further names are only counted.
    private static let namedFiles = 5

    /// A description of the run, as items of a definition list.
    var runDescription: String {
        let run = statistics.run
        let items: [(String, String?)] = [
            ("operation", run.operation.name),
            ("part", run.part.map { "\($0.number) of \($0.count)" }),
            ("parts", parts),
            ("from", Self.names(run.inputs, of: run.inputCount)),
            ("to", outputs),
            ("level", level),
            ("frames of", run.frameSizeBytes.map(ByteCount.format)),
            ("single frame", run.singleFrame == true ? Self.word(true) : nil),
            ("rsyncable", run.rsyncable.map(Self.word)),
            ("long-distance window", run.longWindowBytes.map(ByteCount.format)),
            ("dictionary", run.dictionary.map(HTML.name)),
            ("patch of", run.patchSource.map(HTML.name)),
            ("largest window accepted", run.windowLimitBytes.map(ByteCount.format)),
            ("checksums", run.checksum.map(Self.word)),
            ("threads", "\(run.threads)"),
            ("file read by", run.reading),
            ("flush interval", run.flushIntervalSeconds.map(Scale.text)),
            (rateLimitName, run.rateLimitBytesPerSecond.map { ByteCount.formatRate(Double($0)) }),
            ("buffer", run.bufferBytes.map(ByteCount.format)),
            ("buffer full before writing", run.bufferStart.map(\.percent)),
            ("waits for the disk", run.sync.map(Self.word)),
            ("removes its sources", run.removesSources.map(Self.word)),
            ("sluice", "\(run.sluiceVersion), libzstd \(run.libzstdVersion)"),
            ("machine", machine),
            ("system", [run.machine.system, run.machine.kernel].compactMap(\.self).joined(separator: ", ")),
        ]
        return items.compactMap { name, text in
            guard let text, !text.isEmpty else { return nil }
            return "<dt>\(HTML.escape(name))</dt><dd>\(HTML.escape(text))</dd>"
        }.joined(separator: "\n")
    }

    private var level: String? {
        let run = statistics.run
        guard let least = run.adaptMin, let most = run.adaptMax else { return run.level.map { "\($0)" } }
        let range = "adapts, \(least) to \(most)"
        return statistics.levels.map { "\(range): \($0.text)" } ?? range
    }

    private var parts: String? {
        guard let parts = statistics.parts else { return nil }
        let times = [parts.elapsedSeconds.least, parts.elapsedSeconds.greatest].map(ByteCount.formatSeconds)
        let slowest = parts.slowest.map { ", part \($0) the slowest" } ?? ""
        return "\(parts.each.count), made in \(times.joined(separator: " to "))\(slowest)"
    }

    private var outputs: String {
        let (names, inputs) = (statistics.run.outputs, statistics.run.inputCount)
        return Self.names(names, of: names.count < 2 ? names.count : inputs)
    }

    /// With -d the limit counts compressed bytes, unlike the other rates of the page.
    private var rateLimitName: String {
        statistics.run.operation.content == .output ? "rate limit, of compressed bytes" : "rate limit"
    }

    private var machine: String {
        let machine = statistics.run.machine
        let parts = [
            machine.cpuModel, machine.cpus == 1 ? "1 CPU available" : "\(machine.cpus) CPUs available",
            machine.memoryBytes.map { ByteCount.format($0) + " of memory" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private static func names(_ names: [String], of count: Int) -> String {
        let rest = count - min(names.count, namedFiles)
        return names.prefix(namedFiles).map(HTML.name).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    private static func word(_ isSo: Bool) -> String { isSo ? "yes" : "no" }
}
