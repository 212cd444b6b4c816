import FoundationEssentials

/// Numbers for programs.
enum JSON {
    /// One line, keys in order.
    static func line(_ value: some Encodable) -> String { encode(value, [.sortedKeys, .withoutEscapingSlashes]) }

    /// Many lines, for people too.
    static func page(_ value: some Encodable) -> String {
        encode(value, [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted])
    }

    /// What the bytes say; nil for what is no JSON, or says something else.
    static func value<Value: Decodable>(_ bytes: [UInt8], as type: Value.Type) -> Value? {
        try? JSONDecoder().decode(type, from: Data(bytes))
    }

    private static func encode(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        // Numbers that are not finite have no JSON.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("plain numbers and strings can be encoded")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
