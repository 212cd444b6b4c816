import ZstdCodec

extension ContentShare {
    /// The number, as long as that of the last part.
    var padded: String {
        let (number, count) = (String(number), String(count))
        return String(repeating: "0", count: count.count - number.count) + number
    }
}
