internal import ByteStreams

/// A file with sections of settings, as AWS's tools read theirs: with Python's `configparser`, which is strict about
/// names that stand twice, takes a value's further lines by their indentation, and knows comments as lines only.
package struct ProfileFile: Sendable {
    /// What is wrong with a file: the number of the line, from 1, and what.
    package struct Flaw: Error, Equatable {
        package let line: Int
        package let sentence: String

        package init(line: Int, sentence: String) { (self.line, self.sentence) = (line, sentence) }
    }

    package typealias Section = [String: String]

    /// The names of the sections and their values, in the order of the file.
    package private(set) var sections: [(name: String, values: Section)] = []

    /// A file without a section.
    init() {}

    /// - Throws: if AWS's tools would refuse the file.
    package init(_ bytes: [UInt8]) throws(Flaw) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Flaw(line: 1, sentence: "is not UTF-8") }
        var parser = Parser()
        for (number, line) in text.utf8.lines.enumerated() { try parser.add(line, number + 1) }
        sections = try parser.finish()
    }

    /// The values of a section, by its whole name.
    func section(_ name: String) -> Section? { sections.last { $0.name == name }?.values }

    /// The values of a profile in the config file, where sections are named `[profile NAME]`, and `[default]`.
    package func profile(_ name: String) -> Section? {
        sections.last { section in
            if section.name.utf8.starts(with: "profile".utf8) {
                guard let words = ShellWords.split(Array(section.name.utf8)), words.count == 2 else { return false }
                return words[1].elementsEqual(name.utf8)
            }
            return section.name == "default" && name == "default"
        }?.values
    }
}

extension ProfileFile {
    /// Takes lines, as `RawConfigParser._read` does.
    private struct Parser {
        private struct Open {
            let name: String
            var values: [(name: String, lines: [String], number: Int)] = []
        }

        private var defaults = Open(name: "DEFAULT")
        private var sections: [Open] = []
        private var isInDefaults = false
        /// Whether the last option may go on in the next line.
        private var hasOption = false
        private var indentation = 0
        private var current: Open? {
            get { isInDefaults ? defaults : sections.last }
            set {
                guard let newValue else { return }
                if isInDefaults { defaults = newValue } else { sections[sections.count - 1] = newValue }
            }
        }

        mutating func add(_ line: [UInt8], _ number: Int) throws(Flaw) {
            let text = line.trimmed
            if text.first == UInt8(ascii: "#") || text.first == UInt8(ascii: ";") { return }
            if text.isEmpty {
                if hasOption { addLine([]) }
                return
            }
            let start = line.count - line.drop { $0.isBlank }.count
            if hasOption, start > indentation { return addLine(text) }
            indentation = start
            if text.first == UInt8(ascii: "["), let end = text.lastIndex(of: UInt8(ascii: "]")),
                end > text.startIndex + 1
            {
                return try beginSection(text[(text.startIndex + 1)..<end], number)
            }
            if current == nil { throw Flaw(line: number, sentence: "stands before the first [section]") }
            try addOption(text, number)
        }

        private mutating func beginSection(_ name: ArraySlice<UInt8>, _ number: Int) throws(Flaw) {
            let name = String(decoding: name, as: UTF8.self)
            hasOption = false
            isInDefaults = name == "DEFAULT"
            if isInDefaults { return }
            if sections.contains(where: { $0.name == name }) {
                throw Flaw(line: number, sentence: "begins a section that was there before")
            }
            sections.append(Open(name: name))
        }

        private mutating func addOption(_ text: ArraySlice<UInt8>, _ number: Int) throws(Flaw) {
            let mark = text.firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }
            guard let mark, mark > text.startIndex else {
                throw Flaw(line: number, sentence: "is neither a [section] nor NAME = VALUE")
            }
            let name = String(decoding: Array(text[..<mark]).trimmed, as: UTF8.self).lowercased()
            if current?.values.contains(where: { $0.name == name }) == true {
                throw Flaw(line: number, sentence: "names a setting that the section had before")
            }
            current?.values.append((name, [], number))
            hasOption = true
            addLine(Array(text[(mark + 1)...]).trimmed)
        }

        private mutating func addLine(_ text: ArraySlice<UInt8>) {
            guard let last = current?.values.indices.last else { return }
            current?.values[last].lines.append(String(decoding: text, as: UTF8.self))
        }

        consuming func finish() throws(Flaw) -> [(name: String, values: Section)] {
            var done: [(String, Section)] = []
            let others = try Self.values(defaults)
            for section in sections {
                done.append((section.name, try Self.values(section).merging(others) { own, _ in own }))
            }
            return done
        }

        /// Settings beneath a setting, which begin in the line after its name, are not among the values.
        private static func values(_ section: Open) throws(Flaw) -> Section {
            var values = Section()
            for (name, lines, number) in section.values {
                let last = lines.lastIndex { !$0.isEmpty } ?? 0
                let lines = lines[...last]
                guard lines.first?.isEmpty == true, lines.count > 1 else {
                    values[name] = lines.joined(separator: "\n")
                    continue
                }
                if lines.contains(where: { !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: "=")) }) {
                    throw Flaw(line: number, sentence: "begins settings of which one has no =")
                }
            }
            return values
        }
    }
}

extension String.UTF8View {
    /// The lines, which end in any of the three ways.
    fileprivate var lines: [[UInt8]] {
        var (lines, line, last) = ([[UInt8]](), [UInt8](), UInt8(0))
        for byte in self {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                if byte == UInt8(ascii: "\r") || last != UInt8(ascii: "\r") {
                    lines.append(line)
                    line = []
                }
            } else {
                line.append(byte)
            }
            last = byte
        }
        return lines + [line]
    }
}

extension [UInt8] {
    fileprivate var trimmed: ArraySlice<UInt8> {
        let rest = drop { $0.isBlank }
        return rest.prefix((rest.lastIndex { !$0.isBlank } ?? rest.startIndex - 1) - rest.startIndex + 1)
    }
}

extension UInt8 {
    /// What Python's `str.strip` removes, of ASCII.
    fileprivate var isBlank: Bool { self == 0x20 || 0x09...0x0D ~= self || 0x1C...0x1F ~= self }
}

/// Words as a shell splits them, without what else a shell does: as Python's `shlex.split`.
package enum ShellWords {
    /// Nil if a quotation mark or a backslash has no end.
    package static func split(_ text: [UInt8]) -> [[UInt8]]? {
        var (words, word, quote) = ([[UInt8]](), [UInt8]?.none, UInt8?.none)
        var rest = text[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\\") where quote != UInt8(ascii: "'"):
                guard let next = rest.popFirst() else { return nil }
                // Within quotation marks it stands for itself, but before one and before another backslash.
                let isKept = quote.map { next != $0 && next != byte } ?? false
                word = (word ?? []) + (isKept ? [byte, next] : [next])
            case _ where byte == quote: quote = nil
            case UInt8(ascii: "'") where quote == nil, UInt8(ascii: "\"") where quote == nil:
                (quote, word) = (byte, word ?? [])
            case 0x20 where quote == nil, 0x09...0x0A where quote == nil, 0x0D where quote == nil:
                if let done = word { words.append(done) }
                word = nil
            default: word = (word ?? []) + [byte]
            }
        }
        if quote != nil { return nil }
        return words + (word.map { [$0] } ?? [])
    }
}
