import Sluice

extension Statistics.Parts {
    /// The number of slowest parts that are listed.
    private static let shown = 10

    /// The spread of the parts and the slowest of them, for people.
    var table: [String] {
        let seconds = [elapsedSeconds.least, elapsedSeconds.median, elapsedSeconds.greatest]
        let sizes = [contentBytes.least, contentBytes.median, contentBytes.greatest]
        let rates = [contentBytesPerSecond.least, contentBytesPerSecond.median, contentBytesPerSecond.greatest]
        let spreads = [
            ("time", seconds.map(ByteCount.formatSeconds)), ("content", sizes.map { ByteCount.format(UInt64($0)) }),
            ("rate", rates.map(ByteCount.formatRate)),
        ]
        var lines = [
            "parts \(each.count), CPU \(ByteCount.formatSeconds(totalCPUSeconds)) together",
            "                 least      median    greatest",
        ]
        lines += spreads.map { name, texts in name.padded(-10) + texts.map { $0.padded(12) }.joined() }
        lines.append("slowest         time     content        rate         CPU  limited by")
        for run in each.sorted(by: { $0.elapsedSeconds > $1.elapsedSeconds }).prefix(Self.shown) {
            let cells = [
                ByteCount.formatSeconds(run.elapsedSeconds), ByteCount.format(run.contentBytes),
                ByteCount.formatRate(run.contentBytesPerSecond), ByteCount.formatSeconds(run.cpuSeconds),
            ]
            let name = "part \(run.part)".padded(-10)
            lines.append(name + cells.map { $0.padded(12) }.joined() + "  " + (run.limitedBy ?? ""))
        }
        return lines
    }
}
