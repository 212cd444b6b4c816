/// The text of `-h`: the most common options, on one screen.
enum ShortHelp {
    private static let examples = [
        ("sluice FILE", "compress FILE to FILE.zst"), ("sluice -d FILE.zst", "decompress it to FILE"),
        ("sluice -t FILE.zst", "verify it without writing anything"),
        ("sluice -l FILE.zst", "list frames, sizes and ratio"),
        ("sluice -d --range=0-99 FILE.zst", "write a range of the content"),
    ]

    static var text: String {
        var lines = ["Usage: sluice [OPTIONS] [FILE...]", ""]
        for (command, meaning) in examples { lines.append("  " + command.padded(-35) + meaning) }
        lines.append("")
        for flag in Flag.all {
            guard let brief = flag.brief else { continue }
            lines.append(flag.lineStart.padded(-28) + brief)
        }
        return (lines + ["", "sluice --help lists all options, and man sluice explains them."]).joined(separator: "\n")
    }
}
