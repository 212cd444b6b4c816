import ZstdCodec

extension ContentShare {
    /// The number, padded to the length of the last part's.
    var padded: String {
        let (number, count) = (String(number), String(count))
        return String(repeating: "0", count: count.count - number.count) + number
    }
}
