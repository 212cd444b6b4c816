import SluiceEngine

// Text from elsewhere is data in every medium: one function for each makes it so. They look at bytes and scalars, never
// at characters: a letter such as U+0D4E joins what follows it, a quote or a `<`, into one character. For terminals, it
// is `printable` (ByteStreams).

extension FilePath {
    /// The path as a word of a shell, for a command line in a hint: one that the shell reads as these bytes, and a
    /// terminal shows without obeying them.
    var quoted: String {
        // A URL has its two slashes again, and a slash at the end no dot after it.
        let (text, isURL) = (spelled, spelled.utf8.count != string.utf8.count)
        let word = isURL ? Array(text.utf8) : bytes
        return (endsInDot ? Array(word.dropLast()) : word).shellWord
    }
}

extension [UInt8] {
    /// These bytes as a word of a shell. Where no text shows them, they are escaped as in `$'a\\xFFb'`, which bash, ksh
    /// and zsh read.
    var shellWord: String {
        let isPlain =
            !isEmpty
            && allSatisfy { byte in
                "/._-+=,:@%".utf8.contains(byte) || byte.isDigit
                    || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
            }
        if isPlain { return String(decoding: self, as: UTF8.self) }
        let text = String(decoding: self, as: UTF8.self)
        if text.utf8.elementsEqual(self), text.printable.utf8.elementsEqual(self) {
            return "'" + text.exchanging("'", for: "'\\''") + "'"
        }
        return "$'"
            + map { byte in
                switch byte {
                case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\" + String(UnicodeScalar(byte))
                case 0x20..<0x7F: String(UnicodeScalar(byte))
                default: "\\x" + String(byte, radix: 16).padded(2, with: "0")
                }
            }.joined() + "'"
    }

    /// Appends a string in quotes, with characters that a terminal might obey escaped.
    mutating func append(quoting text: String) {
        append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": self += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
            case " "..."~": append(UInt8(ascii: scalar))
            case "\n": self += "\\n".utf8
            case "\r": self += "\\r".utf8
            case "\t": self += "\\t".utf8
            case "\u{8}": self += "\\b".utf8
            case "\u{C}": self += "\\f".utf8
            case _ where [.control, .format].contains(scalar.properties.generalCategory):
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                    self += "\\u\(String(unit, radix: 16).padded(4, with: "0"))".utf8
                }
            default: self += String(scalar).utf8
            }
        }
        append(UInt8(ascii: "\""))
    }
}

extension StringProtocol {
    /// JSON as the content of an element of HTML: no `<` begins a tag.
    var asDataInHTML: String { exchanging("<", for: "\\u003c") }

    /// The text with each occurrence of a mark of ASCII replaced by another text, whatever it is joined with.
    func exchanging(_ mark: Unicode.Scalar, for text: String) -> String {
        let parts = utf8.split(separator: UInt8(ascii: mark), omittingEmptySubsequences: false)
        return String(decoding: Array(parts.joined(separator: text.utf8)), as: UTF8.self)
    }
}
