extension BinaryInteger {
    /// The number with a noun, which gets an s unless the number is 1: `1 file`, `2 files`.
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
