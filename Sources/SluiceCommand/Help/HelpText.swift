/// The text of `--help`: all options, a few lines each.
enum HelpText {
    private static let column = 28
    private static let width = 79

    static var text: String {
        var lines = [
            "Compress and decompress files with Zstandard, on all CPUs.", "",
            "Usage: sluice [OPTIONS] [FILE...]", "       sluice -d [OPTIONS] [FILE.zst...]",
            "       producer | sluice [OPTIONS] | consumer", "",
        ]
        lines += """
            Each FILE becomes FILE.zst beside it, or with -d the other way round; the source stays. Without a FILE, or \
            when FILE is -, standard input goes to standard output. Options shared with zstd work as they do there unless \
            their entry says otherwise; all CPUs are used, and the result has several frames. A file appears under its \
            name only when it is complete and synced to disk.
            """.wrapped(width)
        for group in Flag.groups {
            lines += ["", group.title + ":"]
            for flag in group.flags { lines += entry(flag) }
        }
        return lines.joined(separator: "\n")
    }

    private static func entry(_ flag: Flag) -> [String] {
        let start = flag.lineStart
        let text = flag.help.wrapped(width - column)
        let indent = String(repeating: " ", count: column)
        if start.count + 2 > column { return [start] + text.map { indent + $0 } }
        return [start.padded(-column) + (text.first ?? "")] + text.dropFirst().map { indent + $0 }
    }
}
