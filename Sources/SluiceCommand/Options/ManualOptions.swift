/// The options in the manual page: `docs/manual.mdoc` is the rest of it.
enum ManualOptions {
    static var text: String {
        Flag.groups.map { group in
            let entries = group.flags.map(entry)
            return ".Ss \(group.title)\n.Bl -tag -width 6n\n" + entries.joined(separator: "\n") + "\n.El"
        }.joined(separator: "\n")
    }

    private static func entry(_ flag: Flag) -> String {
        let short = flag.shortSpelling.map { "Fl \($0.dropFirst()) , " } ?? ""
        var lines = [".It " + short + "Fl -" + (flag.isNegatable ? "[no-]" : "") + flag.name + value(flag.argument)]
        lines += marked(flag.help)
        if !flag.manual.isEmpty { lines += marked(flag.manual) }
        let others = flag.aliases.map { "--" + $0 }.joined(separator: ", ")
        if !others.isEmpty { lines += marked("Also \(others).") }
        return lines.joined(separator: "\n")
    }

    private static func value(_ argument: FlagArgument) -> String {
        let value = "Ns = Ns Ar \(argument.placeholder)"
        return switch argument.presence {
        case .none: ""
        case .optional: " Ns Oo \(value) Oc"
        case .required: " " + value
        }
    }

    /// The text in lines, with options in bold.
    private static func marked(_ text: String) -> [String] {
        text.wrapped(100).map { line in
            let line = line.split(separator: " ").map(marked).joined(separator: " ")
            return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
        }
    }

    private static func marked(_ word: Substring) -> String {
        let escaped = word.exchanging("\\", for: "\\e")
        guard word.count > 1, word.first == "-", !word.hasPrefix("-N") else { return String(escaped) }
        let end = escaped.lastIndex { !",;:.)".contains($0) }.map(escaped.index(after:)) ?? escaped.endIndex
        return "\\fB" + String(escaped[..<end]).exchanging("-", for: "\\-") + "\\fR" + escaped[end...]
    }
}
