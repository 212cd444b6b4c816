import CKernel

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
