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
