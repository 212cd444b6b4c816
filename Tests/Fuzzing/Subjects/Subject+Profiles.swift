internal import RemoteSources

extension Subject {
    /// A file of profiles has settings that are what they are written as, or a flaw in one of its lines; a command is
    /// split into words that a shell would make of it again.
    package static let profiles = Subject("profiles") { input in
        let bytes = Array(input)
        do throws(ProfileFile.Flaw) {
            let file = try ProfileFile(bytes)
            let again = try ProfileFile(Array(written(file).utf8))
            try promiseHere(
                again.sections.elementsEqual(file.sections) { $0.name == $1.name && $0.values == $1.values })
            try promiseHere(file.sections.allSatisfy { !$0.name.isEmpty && !$0.values.keys.contains("") })
        } catch {
            try promise(sentences.contains(error.sentence), error.sentence)
            let lines = bytes.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } + 1
            try promise(1...lines ~= error.line, "line \(error.line) of \(lines) is flawed")
        }
        guard let words = ShellWords.split(bytes) else { return }
        let quoted = words.map { word in
            let inner = word.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
            return Array("'".utf8) + inner.joined(separator: Array("'\\''".utf8)) + Array("'".utf8)
        }
        let again = ShellWords.split(Array(quoted.joined(separator: [UInt8(ascii: " ")])))
        try promise(again == words, "quoted and split again they are other words")
    }

    /// A broken promise, where only flaws are thrown.
    private static func promiseHere(_ holds: Bool) throws(ProfileFile.Flaw) {
        if !holds { throw ProfileFile.Flaw(line: 0, sentence: "written and read again it is another file") }
    }

    /// All that a flaw may say.
    private static let sentences: Set = [
        "is not UTF-8", "stands before the first [section]", "begins a section that was there before",
        "is neither a [section] nor NAME = VALUE", "names a setting that the section had before",
        "begins settings of which one has no =",
    ]

    private static func written(_ file: ProfileFile) -> String {
        file.sections.map { section in
            "[\(section.name)]\n"
                + section.values.map { name, value in
                    "\(name) = \(value.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n  "))\n"
                }.joined()
        }.joined()
    }
}
