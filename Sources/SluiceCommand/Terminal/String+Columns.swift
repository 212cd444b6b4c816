import CKernel

extension String {
    /// Pads the text to a number of characters: on the left, or on the right if the number is negative.
    func padded(_ places: Int, with blank: Character = " ") -> String {
        let blanks = String(repeating: blank, count: max(0, abs(places) - count))
        return places < 0 ? self + blanks : blanks + self
    }

    /// Wraps the words into lines of at most `width` characters.
    func wrapped(_ width: Int) -> [String] {
        var lines: [String] = []
        for word in split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

/// Measures text in columns of a terminal.
enum TextWidth {
    static func of(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    /// The text, or its end after three dots, in at most `width` columns.
    static func shortened(_ text: String, to width: Int) -> String {
        var used = of(text)
        guard used > width else { return text }
        let dots = "..."
        used += dots.count
        var end = text.unicodeScalars[...]
        while used > width, let first = end.popFirst() { used -= of(first) }
        return dots + String(end)
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        scalar.isASCII ? 1 : max(0, Int(sluice_character_width(scalar.value)))
    }
}
