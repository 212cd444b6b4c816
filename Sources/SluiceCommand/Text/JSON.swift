import FoundationEssentials
import Sluice
import SystemPackage

/// JSON for programs.
enum JSON {
    /// One line, with sorted keys.
    static func line(_ value: some Encodable) -> String { encode(value, [.sortedKeys, .withoutEscapingSlashes]) }

    /// Indented lines, with sorted keys, for people too.
    static func page(_ value: some Encodable) -> String {
        encode(value, [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted])
    }

    /// Decodes a value; nil for anything else.
    static func value<Value: Decodable>(_ bytes: [UInt8], as type: Value.Type) -> Value? {
        try? JSONDecoder().decode(type, from: Data(bytes))
    }

    /// The bytes of a name as Base64 if they are not UTF-8, and `string` therefore would not name the file; otherwise
    /// nil.
    static func base64(_ path: FilePath) -> String? {
        let bytes = path.bytes
        return String(validating: bytes, as: UTF8.self) == nil ? Data(bytes).base64EncodedString() : nil
    }

    private static func encode(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        // JSON has no infinity and no NaN.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("plain numbers and strings can be encoded")
        }
        let text = String(decoding: data, as: UTF8.self)
        return data.allSatisfy { $0 < 0x7F } ? text : escaped(text)
    }

    /// Escapes characters that a terminal might obey: the encoder leaves control characters from 7F on.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where scalar.value >= 0x7F, .format:
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                    escaped += "\\u" + String(unit, radix: 16).padded(4, with: "0")
                }
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
