import CKernel

/// Measures text in columns of a terminal.
enum TextWidth {
    static func of(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    /// The text, or its end after three dots, in at most `width` columns.
    static func shortened(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        let dots = "..."
        var kept: [Unicode.Scalar] = []
        var used = dots.count
        for scalar in text.unicodeScalars.reversed() {
            used += of(scalar)
            if used > width { break }
            kept.append(scalar)
        }
        var end = String.UnicodeScalarView()
        end.append(contentsOf: kept.reversed())
        return dots + String(end)
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        scalar.isASCII ? 1 : max(0, Int(sluice_character_width(scalar.value)))
    }
}
