package import SystemPackage

extension String {
    /// The text for a one-line message, with the characters that control a terminal escaped.
    package var printable: String {
        var words = ""
        for scalar in unicodeScalars {
            if scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format {
                words += scalar.escaped(asASCII: true)
            } else {
                words.unicodeScalars.append(scalar)
            }
        }
        return words
    }
}

extension FilePath {
    /// The path for a message: printable, and without the dot that stands for a slash at the end.
    package var printable: String { (endsInDot ? String(spelled.dropLast()) : spelled).printable }

    /// The path as text. A URL has its two slashes again, which a path joins; a file of such a name has them too, and
    /// is the same file.
    package var spelled: String {
        let text = string
        for scheme in ["http:/", "https:/", "s3:/"] where text.utf8.starts(with: scheme.utf8) {
            return scheme + "/" + String(decoding: text.utf8.dropFirst(scheme.utf8.count), as: UTF8.self)
        }
        return text
    }

    /// Whether the path had a slash at the end, which is represented as a dot.
    package var endsInDot: Bool { lastComponent?.kind == .currentDirectory && components.count > 1 }
}

extension Errno {
    /// The C library's text for the error, with its first letter in lower case for use within a sentence.
    package var sentence: String {
        let words = description
        guard let first = words.first, words.dropFirst().first?.isLowercase == true else { return words }
        return first.lowercased() + words.dropFirst()
    }
}
