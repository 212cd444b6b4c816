import Sluice

/// The parts that the completions of all shells share.
enum Completion {
    /// Suffixes of files that can be decompressed, without their dots, between bars.
    static var suffixes: String { FileName.knownSuffixes.map { String($0.dropFirst()) }.joined(separator: "|") }

    /// A regular expression for the words that choose an operation on compressed files: letters, or a name.
    static var decoding: String {
        let flags = Flag.operations.filter { flag in
            guard let operation = flag.operation else { return false }
            return operation.activity.content == .output && !operation.heeds.contains(.measuring)
        }
        let letters = flags.compactMap(\.letter).map { String(decoding: [$0], as: UTF8.self) }.joined()
        let names = flags.flatMap { [$0.name] + $0.aliases }.map { "--" + $0 }.joined(separator: "|")
        return "^(-[A-Za-z0-9]*[\(letters)][A-Za-z0-9]*|\(names))$"
    }

    /// A command that prints the names of an archive's members, except names with characters that JSON escapes. It has
    /// a time limit, because a file without an index may take long.
    static func members(of file: String) -> String {
        "timeout 3 sluice -ql --members --json -- \(file) 2>/dev/null | sed -n 's/.*\"name\":\"\\([^\"\\\\]*\\)\".*/\\1/p'"
    }

    /// The words of these options, between bars; letters only of options that take a path.
    static func words(of flags: [Flag]) -> String {
        flags.flatMap { flag in
            (flag.argument.isPath ? [flag.shortSpelling].compactMap(\.self) : []) + flag.longNames.map { "--" + $0 }
        }.joined(separator: "|")
    }
}
