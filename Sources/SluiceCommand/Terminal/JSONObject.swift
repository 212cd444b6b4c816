internal import CJansson

/// An object that jansson read from JSON, which may come from anywhere.
struct JSONObject: ~Copyable {
    private let root: UnsafeMutablePointer<json_t>

    /// - Returns: nil if the bytes are anything else.
    init?(_ bytes: [UInt8]) {
        let value = bytes.withUnsafeBytes {
            json_loadb($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, 0, nil)
        }
        guard let value else { return nil }
        root = value
    }

    deinit { json_decref(root) }

    /// The number with these names, one inside another.
    func number(_ names: String...) -> Double? {
        let value = value(names)
        return value?.pointee.type == JSON_INTEGER || value?.pointee.type == JSON_REAL ? json_number_value(value) : nil
    }

    /// The whole number with these names, if it is not negative.
    func count(_ names: String...) -> UInt64? {
        let value = value(names)
        return value?.pointee.type == JSON_INTEGER ? UInt64(exactly: json_integer_value(value)) : nil
    }

    func text(_ name: String) -> String? { json_string_value(value([name])).map { String(cString: $0) } }

    private func value(_ names: [String]) -> UnsafeMutablePointer<json_t>? {
        names.reduce(root) { value, name in json_object_get(value, name) }
    }
}
