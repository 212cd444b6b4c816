package import SystemPackage

extension Errno {
    /// The C library's words for the error, as they stand within a sentence.
    package var sentence: String {
        let words = description
        guard let first = words.first, words.dropFirst().first?.isLowercase == true else { return words }
        return first.lowercased() + words.dropFirst()
    }
}
