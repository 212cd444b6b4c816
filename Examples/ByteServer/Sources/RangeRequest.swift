/// One range of a `Range` header, in bytes: `bytes=FIRST-LAST`, `bytes=FIRST-` or `bytes=-COUNT` (RFC 9110, 14.1.2).
struct RangeRequest {
    private let first: Int?
    private let last: Int?

    /// Nil for what is not understood, which is served as a whole.
    init?(_ header: String) {
        guard header.hasPrefix("bytes=") else { return nil }
        let words = header.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard words.count == 2 else { return nil }
        (first, last) = (Int(words[0]), Int(words[1]))
        guard first != nil || words[0].isEmpty, last != nil || words[1].isEmpty else { return nil }
        if let first, let last, last < first { return nil }
        if first == nil, last == nil { return nil }
    }

    /// The bytes of a content that it asks for; nil if none of them is there.
    func range(of size: Int) -> Range<Int>? {
        guard let first else {
            let count = min(last ?? 0, size)
            return count > 0 ? size - count..<size : nil
        }
        guard first < size else { return nil }
        return first..<min(last ?? .max, size - 1) + 1
    }
}
