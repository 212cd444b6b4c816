import Sluice

/// JSON for programs: the properties of a structure, or the entries of a dictionary, in the order of their names. Those
/// that are nil are left out.
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

    /// - Parameter margin: a line break and the indentation of the next line; nil for a single line.
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

/// JSON for many objects of one form: the caller writes each entry in turn, in the order of the names. `JSON` finds out
/// what each value is and what it is made of, which takes ten times as long.
extension [UInt8] {
    /// Appends the name of an entry, whose value follows; the object begins with a brace.
    mutating func append(entry name: StaticString) {
        if last != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
        append(UInt8(ascii: "\""))
        name.withUTF8Buffer { append(contentsOf: $0) }
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ":"))
    }

    mutating func append(entry name: StaticString, _ number: some FixedWidthInteger) {
        append(entry: name)
        if number < 0 { append(UInt8(ascii: "-")) }
        append(decimal: UInt64(number.magnitude))
    }

    mutating func append(entry name: StaticString, _ text: String) {
        append(entry: name)
        append(quoting: text)
    }

    /// - Parameter other: the name of an entry with the bytes, if these are not UTF-8.
    mutating func append(entry name: StaticString, _ bytes: [UInt8], base64 other: StaticString) {
        append(entry: name, String(decoding: bytes, as: UTF8.self))
        if let text = JSON.base64(bytes) { append(entry: other, text) }
    }

    /// Appends a string in quotes, with characters that a terminal might obey escaped.
    mutating func append(quoting text: String) {
        append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": self += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
            case " "..."~": append(UInt8(ascii: scalar))
            case "\n": self += "\\n".utf8
            case "\r": self += "\\r".utf8
            case "\t": self += "\\t".utf8
            case "\u{8}": self += "\\b".utf8
            case "\u{C}": self += "\\f".utf8
            case _ where [.control, .format].contains(scalar.properties.generalCategory):
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                    self += "\\u\(String(unit, radix: 16).padded(4, with: "0"))".utf8
                }
            default: self += String(scalar).utf8
            }
        }
        append(UInt8(ascii: "\""))
    }

    /// Appends the digits of a number, after blanks if it has fewer than `width`.
    mutating func append(decimal number: UInt64, width: Int = 1) {
        var (rest, digits) = (number, 1)
        while rest > 9 { (rest, digits) = (rest / 10, digits + 1) }
        append(contentsOf: repeatElement(UInt8(ascii: " "), count: Swift.max(digits, width)))
        rest = number
        for place in (count - digits..<count).reversed() {
            self[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
    }
}
