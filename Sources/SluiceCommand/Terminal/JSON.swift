import SluiceEngine

/// A value that is written as JSON. Each type says which names it has, so that a renamed property changes no format.
protocol JSONValue {
    func write(to json: inout JSON)
}

/// Writes JSON for programs. The caller names the entries of an object, in the order of the names.
struct JSON {
    private var bytes: [UInt8] = []
    /// The blanks before each line; nil if all is one line.
    private var indentation: Int?

    /// One line, without its end.
    static func line(_ value: some JSONValue) -> String {
        var line: [UInt8] = []
        append(value, to: &line)
        return String(decoding: line, as: UTF8.self)
    }

    /// Appends one line, without its end.
    static func append(_ value: some JSONValue, to bytes: inout [UInt8]) {
        var json = JSON()
        swap(&json.bytes, &bytes)
        value.write(to: &json)
        swap(&json.bytes, &bytes)
    }

    /// Indented lines, for people too; the last one has no end.
    static func page(_ value: some JSONValue) -> String {
        var json = JSON(indentation: 0)
        value.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    mutating func object(_ writeEntries: (inout JSON) -> Void) {
        enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), writeEntries)
    }

    /// Writes an entry of an object.
    mutating func entry(_ name: StaticString, _ value: some JSONValue) {
        beginItem()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes += (indentation == nil ? "\":" : "\" : ").utf8
        value.write(to: &self)
    }

    /// Writes an entry of an object, or nothing if the value is nil.
    mutating func entry<Value: JSONValue>(_ name: StaticString, _ value: Value?) {
        if let value { entry(name, value) }
    }

    /// Writes an entry with text that may not be UTF-8, and if it is not, another one with its bytes as Base64.
    mutating func entry(_ name: StaticString, _ text: [UInt8]?, base64 other: StaticString) {
        entry(name, text.map { String(decoding: $0, as: UTF8.self) })
        entry(other, text.flatMap(Self.base64))
    }

    /// Writes an entry with a path, and if that is not UTF-8, another one with its bytes as Base64.
    mutating func entry(_ name: StaticString, _ path: FilePath?, base64 other: StaticString) {
        entry(name, path?.spelled)
        entry(other, path.flatMap { Self.base64($0.bytes) })
    }

    mutating func list(_ values: [some JSONValue]) {
        enclose(UInt8(ascii: "["), UInt8(ascii: "]")) { json in
            for value in values {
                json.beginItem()
                value.write(to: &json)
            }
        }
    }

    mutating func null() { bytes += "null".utf8 }

    mutating func text(_ text: String) { bytes.append(quoting: text) }

    mutating func boolean(_ isSo: Bool) { bytes += (isSo ? "true" : "false").utf8 }

    mutating func number(_ number: some FixedWidthInteger) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        bytes.append(decimal: UInt64(number.magnitude))
    }

    /// JSON has no infinity and no NaN: they are strings. A whole number has no fraction.
    mutating func number(_ number: Double) {
        let digits = "\(number)"
        guard number.isFinite else { return text(digits) }
        bytes += (digits.hasSuffix(".0") ? digits.dropLast(2) : digits[...]).utf8
    }

    private mutating func enclose(_ opening: UInt8, _ closing: UInt8, _ writeItems: (inout JSON) -> Void) {
        bytes.append(opening)
        indentation = indentation.map { $0 + 2 }
        writeItems(&self)
        indentation = indentation.map { $0 - 2 }
        // An empty list has an empty line, as Foundation writes it.
        if bytes.last == opening, indentation != nil { bytes.append(UInt8(ascii: "\n")) }
        breakLine()
        bytes.append(closing)
    }

    private mutating func beginItem() {
        if bytes.last != UInt8(ascii: "{"), bytes.last != UInt8(ascii: "[") { bytes.append(UInt8(ascii: ",")) }
        breakLine()
    }

    private mutating func breakLine() {
        guard let indentation else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation))
    }

    /// Bytes as Base64 if they are not UTF-8, so that a string would lose some of them; otherwise nil.
    static func base64(_ bytes: [UInt8]) -> String? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        return stride(from: 0, to: bytes.count, by: 3).map { start in
            let group = bytes[start...].prefix(3)
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            return String((0...3).map { $0 <= group.count ? digits[bits >> (18 - 6 * $0) & 63] : "=" })
        }.joined()
    }
}

/// What is said about several files, with the version of its schema.
struct FileReports<File: JSONValue>: JSONValue {
    let files: [File]
    var version = 2

    func write(to json: inout JSON) {
        json.object { json in
            json.entry("files", files)
            json.entry("version", version)
        }
    }
}

extension String: JSONValue {
    func write(to json: inout JSON) { json.text(self) }
}

extension Bool: JSONValue {
    func write(to json: inout JSON) { json.boolean(self) }
}

extension Double: JSONValue {
    func write(to json: inout JSON) { json.number(self) }
}

extension JSONValue where Self: FixedWidthInteger {
    func write(to json: inout JSON) { json.number(self) }
}

extension Int: JSONValue {}
extension Int64: JSONValue {}
extension UInt32: JSONValue {}
extension UInt64: JSONValue {}

extension Optional: JSONValue where Wrapped: JSONValue {
    func write(to json: inout JSON) {
        if let self { self.write(to: &json) } else { json.null() }
    }
}

extension Array: JSONValue where Element: JSONValue {
    func write(to json: inout JSON) { json.list(self) }
}

extension [UInt8] {
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
