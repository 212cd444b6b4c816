import Sluice

/// JSON for programs: the properties of a structure, or the entries of a dictionary, in the order of their names. What
/// is nil is left out of them.
struct JSON {
    private var bytes: [UInt8] = []

    /// One line.
    static func line(_ value: Any) -> String { text(of: value, nil) }

    /// Indented lines, for people too.
    static func page(_ value: Any) -> String { text(of: value, "\n") }

    private static func text(of value: Any, _ margin: String?) -> String {
        var json = JSON()
        json.write(value, margin)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// The bytes of a name as Base64 if they are not UTF-8, and `string` therefore would not name the file; otherwise
    /// nil.
    static func base64(_ path: FilePath) -> String? { base64(path.bytes) }

    static func base64(_ bytes: [UInt8]) -> String? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        return stride(from: 0, to: bytes.count, by: 3).map { start in
            let group = bytes[start...].prefix(3)
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            return String((0...3).map { $0 <= group.count ? digits[bits >> (18 - 6 * $0) & 63] : "=" })
        }.joined()
    }

    /// - Parameter margin: what a line begins with, after its break; nil if there is one line only.
    private mutating func write(_ value: Any, _ margin: String?) {
        switch value {
        case let string as String: bytes.append(quoting: string)
        case let isSo as Bool: bytes += (isSo ? "true" : "false").utf8
        case let number as any BinaryInteger: bytes += "\(number)".utf8
        case let number as Double: write(number)
        case let activity as Statistics.Activity: bytes.append(quoting: activity.name)
        case let choice as any RawRepresentable: write(choice.rawValue, margin)
        case let entries as [String: Any?]:
            object(entries.compactMap { name, value in value.map { (name, $0) } }, margin)
        default:
            let mirror = Mirror(reflecting: value)
            switch mirror.displayStyle {
            case .optional:
                if let value = Self.present(value) { write(value, margin) } else { bytes += "null".utf8 }
            case .collection: list("[", "]", mirror.children.map(\.value), margin) { $0.write($1, $2) }
            default:
                let entries = mirror.children.compactMap { name, value in Self.present(value).map { (name ?? "", $0) } }
                object(entries, margin)
            }
        }
    }

    private mutating func object(_ entries: [(String, Any)], _ margin: String?) {
        list("{", "}", entries.sorted { $0.0 < $1.0 }, margin) { json, entry, margin in
            json.bytes.append(quoting: entry.0)
            json.bytes += (margin == nil ? ":" : " : ").utf8
            json.write(entry.1, margin)
        }
    }

    /// The value, or what is in it if it is optional.
    private static func present(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional ? mirror.children.first?.value : value
    }

    private mutating func list<Item>(
        _ opening: String, _ closing: String, _ items: [Item], _ margin: String?,
        write: (inout JSON, Item, String?) -> Void
    ) {
        let inner = margin.map { $0 + "  " }
        // An empty list has an empty line, as Foundation writes it.
        bytes += (opening + (margin != nil && items.isEmpty ? "\n" : "")).utf8
        for (index, item) in items.enumerated() {
            bytes += ((index > 0 ? "," : "") + (inner ?? "")).utf8
            write(&self, item, inner)
        }
        bytes += ((margin ?? "") + closing).utf8
    }

    /// JSON has no infinity and no NaN: they are strings. A whole number has no fraction.
    private mutating func write(_ number: Double) {
        let digits = "\(number)"
        guard number.isFinite else { return bytes.append(quoting: digits) }
        bytes += (digits.hasSuffix(".0") ? digits.dropLast(2) : digits[...]).utf8
    }
}
