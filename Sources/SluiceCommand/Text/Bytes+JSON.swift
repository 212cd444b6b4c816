/// JSON of objects that are many and alike: each entry is written where its turn comes, in the order of the names.
/// `JSON` finds out what a value is and what it is made of, which takes ten times as long.
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

    /// Appends a string in quotes, in which no character is left that a terminal might obey.
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

    /// Appends the digits of a number, behind blanks if it has fewer than `width`.
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
