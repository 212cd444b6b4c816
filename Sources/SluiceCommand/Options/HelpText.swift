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
            Each FILE becomes FILE.zst beside it, or with -d the other way round; the source stays. A FILE to read may \
            be a URL (http, https, s3). Without a FILE, or when FILE is -, standard input goes to standard output. \
            Options shared with zstd work as they do there unless their entry says otherwise; all CPUs are used, and \
            the result has several frames. A file appears under its name only when it is complete and synced to disk.
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

/// Spells options for the help.
extension Flag {
    /// The start of its line in the help, such as `  -q, --quiet`.
    var lineStart: String { "  " + (shortSpelling.map { $0 + ", " } ?? "    ") + longSpelling }

    /// The option with its value, as in `--stats[=text|json]`.
    var longSpelling: String {
        "--\(isNegatable ? "[no-]" : "")\(name)\(argument.suffix(argument.placeholder))"
    }
}

extension FlagArgument {
    /// What follows an option's name, if the value is spelled like this.
    func suffix(_ value: String) -> String {
        switch presence {
        case .none: ""
        case .optional: "[=\(value)]"
        case .required: "=\(value)"
        }
    }
}

/// The table of zstd's options in `docs/zstd-options.md`, which a test compares with this.
enum ZstdTable {
    static var text: String {
        let tables = Flag.groups.compactMap { group -> String? in
            let rows = group.flags.flatMap { flag in flag.zstd.map { row($0, flag) } }
            if rows.isEmpty { return nil }
            let head = ["## \(group.title)", "", "| option | here | what differs, and why |", "|---|---|---|"]
            return (head + rows).joined(separator: "\n")
        }
        let own = Flag.all.filter { $0.zstd.isEmpty }.map { "`--\($0.name)`" }.joined(separator: ", ")
        return (tables + ["## Not in zstd", own + "."]).joined(separator: "\n\n")
    }

    private static func row(_ entry: Flag.ZstdEntry, _ flag: Flag) -> String {
        let difference = entry.difference.isEmpty ? "" : entry.difference + " "
        return "| \(entry.spelling ?? spelling(flag)) | \(entry.here) | \(difference)|"
    }

    private static func spelling(_ flag: Flag) -> String {
        let value = flag.argument.suffix("#")
        let short = flag.shortSpelling.map { value.isEmpty ? $0 : $0 + "#" }
        let negation = flag.isNegatable ? "[no-]" : ""
        let long = ([flag.name] + flag.aliases).map { "--\(negation)\($0)\(value)" }
        return ([short].compactMap(\.self) + long).map { "`\($0)`" }.joined(separator: ", ")
    }
}
