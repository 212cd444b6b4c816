internal import ByteStreams
internal import Glibc

/// What services and programs answer that give keys. All of it may come from strangers, and none of it is repeated.
enum KeyDocument {
    /// The names of a key's parts in JSON, which differ by who writes it.
    struct Names {
        let token: String
        /// Whether the key may do without a token, and without an end.
        let isTemporary: Bool
        /// What has to stand beside it: a text, or a number.
        var mark: (name: String, text: String?, number: Int?)?

        /// Of a container's endpoint.
        static var container: Names { Names(token: "Token", isTemporary: true) }
        /// Of a machine.
        static var machine: Names { Names(token: "Token", isTemporary: true, mark: ("Code", "Success", nil)) }
        /// Of `credential_process`.
        static var command: Names { Names(token: "SessionToken", isTemporary: false, mark: ("Version", nil, 1)) }
    }

    /// - Throws: `remote` if the bytes are anything else than a key.
    static func key(json: [UInt8], _ names: Names, from origin: String) throws(Failure) -> AccessKey {
        guard let object = JSONObject(json) else { throw .remote("\(origin) answered with something other than JSON") }
        if let mark = names.mark, object.text(mark.name) != mark.text || object.number(mark.name) != mark.number {
            throw .remote("\(origin) answered without the \(mark.name) that a key has")
        }
        let (token, end) = (object.text(names.token), object.text("Expiration"))
        guard let identifier = object.text("AccessKeyId"), let secret = object.text("SecretAccessKey"),
            !names.isTemporary || token != nil && end != nil
        else { throw .remote("\(origin) answered with something other than a key") }
        return try key(identifier, secret, token, end, origin)
    }

    /// The answer of AssumeRoleWithWebIdentity, of which four tags are read, within `Credentials`.
    ///
    /// - Throws: `remote` if the bytes are anything else.
    static func key(xml: [UInt8], from origin: String) throws(Failure) -> AccessKey {
        let parts = content(of: "Credentials", in: xml[...]).map { part in
            ["AccessKeyId", "SecretAccessKey", "SessionToken", "Expiration"].map { name in
                content(of: name, in: part).flatMap(text)
            }
        }
        guard let parts, let identifier = parts[0], let secret = parts[1], let token = parts[2], let end = parts[3]
        else { throw .remote("\(origin) answered with something other than a key") }
        return try key(identifier, secret, token, end, origin)
    }

    private static func key(
        _ identifier: String, _ secret: String, _ token: String?, _ end: String?, _ origin: String
    ) throws(Failure) -> AccessKey {
        let expiration = end.flatMap(seconds)
        if end != nil, expiration == nil { throw .remote("\(origin) answered with a time that is none") }
        let key = AccessKey(identifier: identifier, secret: secret, token: token, expiration: expiration)
        guard key.isUsable else { throw .remote("\(origin) answered with something other than a key") }
        return key
    }

    /// The text between tags, without blanks around it; nil if it has tags or references such as `&amp;`: keys have no
    /// such characters.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        let hasMarks = bytes.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }
        return hasMarks ? nil : String(validating: bytes.trimmed, as: UTF8.self)
    }

    /// What stands between a tag and its end; nil unless both are there once, and the tag without attributes.
    private static func content(of tag: String, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let starts = places(of: Array("<\(tag)>".utf8), in: text)
        let ends = places(of: Array("</\(tag)>".utf8), in: text)
        guard starts.count == 1, ends.count == 1, starts[0].upperBound <= ends[0].lowerBound else { return nil }
        return text[starts[0].upperBound..<ends[0].lowerBound]
    }

    private static func places(of word: [UInt8], in text: ArraySlice<UInt8>) -> [Range<Int>] {
        guard text.count >= word.count else { return [] }
        return (text.startIndex...text.endIndex - word.count).lazy
            .filter { text[$0] == word[0] && text[$0..<$0 + word.count].elementsEqual(word) }
            .map { $0..<$0 + word.count }
    }

    /// Seconds since 1970 of a time such as `2026-11-28T20:34:11Z`, `…11.123Z` or `…11+02:00`; nil for anything
    /// else.
    static func seconds(_ text: String) -> Int? {
        var rest = Array(text.utf8)[...]
        func number(_ digits: Int, _ range: ClosedRange<Int>) -> Int? {
            let part = rest.prefix(digits)
            guard part.count == digits, part.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
                return nil
            }
            rest = rest.dropFirst(digits)
            let number = part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            return range.contains(number) ? number : nil
        }
        func mark(_ marks: String) -> UInt8? {
            guard let byte = rest.first, marks.utf8.contains(byte) else { return nil }
            rest = rest.dropFirst()
            return byte
        }
        var time = tm()
        guard let year = number(4, 1970...9999), mark("-") != nil, let month = number(2, 1...12), mark("-") != nil,
            let day = number(2, 1...31), mark("T ") != nil, let hour = number(2, 0...23), mark(":") != nil,
            let minute = number(2, 0...59), mark(":") != nil, let second = number(2, 0...60)
        else { return nil }
        if mark(".") != nil { rest = rest.drop { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } }
        (time.tm_year, time.tm_mon, time.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
        (time.tm_hour, time.tm_min, time.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
        var offset = 0
        switch mark("Zz+-") {
        case nil: return nil
        case UInt8(ascii: "Z"), UInt8(ascii: "z"): break
        case let sign?:
            guard let hours = number(2, 0...23) else { return nil }
            _ = mark(":")
            guard let minutes = number(2, 0...59) else { return nil }
            offset = (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
        }
        return rest.isEmpty ? timegm(&time) - offset : nil
    }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmed: ArraySlice<UInt8> {
        let rest = drop { $0 <= 0x20 }
        return rest.prefix((rest.lastIndex { $0 > 0x20 } ?? rest.startIndex - 1) - rest.startIndex + 1)
    }
}
