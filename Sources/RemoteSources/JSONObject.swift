internal import CJansson

/// An object that jansson read from JSON, which may come from anywhere.
struct JSONObject: ~Copyable {
    /// What is wrong with a name, as the end of a sentence about the object. It has nothing of the values.
    struct Flaw: Error, Equatable {
        let sentence: String
    }

    /// A name that stands twice makes no object.
    private static let flags = Int(JSON_REJECT_DUPLICATES)
    private let root: UnsafeMutablePointer<json_t>

    /// - Returns: nil if the bytes are anything else.
    init?(_ bytes: [UInt8]) {
        let value = bytes.withUnsafeBytes {
            json_loadb($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, Self.flags, nil)
        }
        guard let value else { return nil }
        if value.pointee.type != JSON_OBJECT {
            json_decref(value)
            return nil
        }
        root = value
    }

    deinit { json_decref(root) }

    /// The text with a name; nil if the name is not there, or has `null`.
    func text(_ name: String) throws(Flaw) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = json_string_value(value) else {
            throw Flaw(sentence: "with a value of \(name) that is not a string")
        }
        return String(cString: text)
    }

    /// The whole number with a name; nil if the name is not there, or has `null`.
    func number(_ name: String) throws(Flaw) -> Int? {
        guard let value = value(name) else { return nil }
        guard value.pointee.type == JSON_INTEGER, let number = Int(exactly: json_integer_value(value)) else {
            throw Flaw(sentence: "with a value of \(name) that is not a whole number")
        }
        return number
    }

    private func value(_ name: String) -> UnsafeMutablePointer<json_t>? {
        guard let value = json_object_get(root, name), value.pointee.type != JSON_NULL else { return nil }
        return value
    }
}
