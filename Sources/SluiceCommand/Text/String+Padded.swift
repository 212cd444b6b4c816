extension String {
    /// Pads the text to a width: on the left, or on the right if the width is negative.
    func padded(_ places: Int, with blank: Character = " ") -> String {
        let blanks = String(repeating: blank, count: max(0, abs(places) - count))
        return places < 0 ? self + blanks : blanks + self
    }
}
