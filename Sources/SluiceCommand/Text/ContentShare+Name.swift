import ZstdCodec

extension ContentShare {
    /// A name that sorts in the order of the parts, such as `07-of-12`.
    var name: String { "\(String(number).padded(String(count).count, with: "0"))-of-\(count)" }
}
