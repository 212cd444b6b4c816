extension String {
    /// The text for a message, in one line: what a terminal would obey is escaped. What is printable already stays as
    /// it is.
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
