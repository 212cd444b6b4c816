internal import CJansson

/// An object that jansson read from JSON, which may come from anywhere.
struct JSONObject: ~Copyable {
    /// A name that stands twice makes no object.
    private static let flags = Int(JSON_REJECT_DUPLICATES)
    private let root: UnsafeMutablePointer<json_t>

    /// - Returns: nil if the bytes are anything else.
    init?(_ bytes: [UInt8]) {
        let value = bytes.withUnsafeBytes {
            json_loadb($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, Self.flags, nil)
        }
        guard let value else { return nil }
        root = value
    }

    deinit { json_decref(root) }

    /// The text with a name; nil if it is anything else.
    func text(_ name: String) -> String? { json_string_value(json_object_get(root, name)).map { String(cString: $0) } }

    /// The whole number with a name; nil if it is anything else.
    func number(_ name: String) -> Int? {
        let value = json_object_get(root, name)
        return value?.pointee.type == JSON_INTEGER ? Int(exactly: json_integer_value(value)) : nil
    }
}
