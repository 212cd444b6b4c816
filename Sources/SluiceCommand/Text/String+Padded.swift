extension String {
    /// With so many places at least: the text at the right end of them, behind as many blanks as it takes; at the left
    /// end if the number is negative.
    func padded(_ places: Int, with blank: Character = " ") -> String {
        let blanks = String(repeating: blank, count: max(0, abs(places) - count))
        return places < 0 ? self + blanks : blanks + self
    }
}
