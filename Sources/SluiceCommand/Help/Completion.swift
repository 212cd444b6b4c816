import Sluice

/// What the completions of all shells have in common.
enum Completion {
    /// Suffixes of files that can be decompressed, without their dots, between bars.
    static var suffixes: String { FileName.knownSuffixes.map { String($0.dropFirst()) }.joined(separator: "|") }

    /// Letters of the operations that read compressed files, and their names between bars.
    static var decoding: (letters: String, names: String) {
        let flags = Flag.operations.filter { flag in
            guard let operation = flag.operation, !flag.isHidden else { return false }
            return operation.activity.content == .output && !operation.heeds.contains(.measuring)
        }
        let letters = flags.compactMap(\.letter).map { String(decoding: [$0], as: UTF8.self) }.joined()
        return (letters, flags.flatMap { [$0.name] + $0.aliases }.map { "--" + $0 }.joined(separator: "|"))
    }

    /// Prints the names of the members of an archive, but for those with characters that JSON escapes. A file without
    /// an index may take longer than anybody would wait.
    static func members(of file: String) -> String {
        "timeout 3 sluice -ql --members --json -- \(file) 2>/dev/null | sed -n 's/.*\"name\":\"\\([^\"\\\\]*\\)\".*/\\1/p'"
    }

    /// The words of options that take one of these, or a path, grouped by that.
    static func words(of flags: [Flag]) -> String {
        flags.flatMap { flag in
            (flag.argument.isPath ? [flag.shortSpelling].compactMap(\.self) : []) + flag.longNames.map { "--" + $0 }
        }.joined(separator: "|")
    }
}
