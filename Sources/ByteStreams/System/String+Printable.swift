package import SystemPackage

extension String {
    /// The text for a message, in one line: characters that control a terminal are escaped.
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
    /// The path for a message, printable, and without the dot that keeps a slash at the end.
    package var printable: String { (endsInDot ? String(string.dropLast()) : string).printable }

    /// Whether it had a slash at the end, which has become a dot.
    package var endsInDot: Bool { lastComponent?.kind == .currentDirectory && components.count > 1 }
}

extension Errno {
    /// The C library's words for the error, in the form that they have within a sentence.
    package var sentence: String {
        let words = description
        guard let first = words.first, words.dropFirst().first?.isLowercase == true else { return words }
        return first.lowercased() + words.dropFirst()
    }
}
