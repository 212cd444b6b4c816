package import ByteStreams
internal import Glibc

/// What services and programs answer that give keys. All of it may come from strangers, and none of it is repeated.
package enum KeyDocument {
    /// The names of a key's parts in JSON, which differ by who writes it.
    package struct Names: Sendable {
        let token: String
        /// Whether it has to have a token, and an end.
        let isTemporary: Bool
        /// What has to stand beside it.
        let mark: Mark?

        /// Of a container's endpoint.
        package static let container = Names(token: "Token", isTemporary: true, mark: nil)
        /// Of a machine.
        package static let machine = Names(token: "Token", isTemporary: true, mark: .text("Code", "Success"))
        /// Of `credential_process`.
        package static let command = Names(token: "SessionToken", isTemporary: false, mark: .number("Version", 1))
    }

    /// A name, and what it has to have.
    enum Mark: Sendable {
        case text(String, String)
        case number(String, Int)

        /// - Throws: if the object has something else, or nothing.
        func check(_ object: borrowing JSONObject) throws(JSONObject.Flaw) {
            let name: String
            let isThere: Bool
            let isRight: Bool
            switch self {
            case .text(let mark, let wanted):
                let text = try object.text(mark)
                (name, isThere, isRight) = (mark, text != nil, text == wanted)
            case .number(let mark, let wanted):
                let number = try object.number(mark)
                (name, isThere, isRight) = (mark, number != nil, number == wanted)
            }
            if !isThere { throw JSONObject.Flaw(sentence: "without \(name)") }
            if !isRight { throw JSONObject.Flaw(sentence: "with a \(name) that marks something other than a key") }
        }
    }

    /// - Throws: `remote` if the bytes are anything else than a key: a name has something of another type than a key's,
    ///   or is missing.
    package static func key(json: [UInt8], _ names: Names, from origin: String) throws(Failure) -> AccessKey {
        guard let object = JSONObject(json) else {
            throw .remote("\(origin) answered with something other than a JSON object")
        }
        let identifier: String
        let secret: String
        let token: String?
        let end: String?
        do throws(JSONObject.Flaw) {
            try names.mark?.check(object)
            identifier = try required("AccessKeyId", object)
            secret = try required("SecretAccessKey", object)
            token = names.isTemporary ? try required(names.token, object) : try object.text(names.token)
            end = names.isTemporary ? try required("Expiration", object) : try object.text("Expiration")
        } catch {
            throw .remote("\(origin) answered \(error.sentence)")
        }
        return try key(identifier, secret, token, end, origin)
    }

    private static func required(
        _ name: String, _ object: borrowing JSONObject
    ) throws(JSONObject.Flaw) -> String {
        guard let text = try object.text(name) else { throw JSONObject.Flaw(sentence: "without \(name)") }
        return text
    }

    /// The answer of AssumeRoleWithWebIdentity, of which four tags are read, within `Credentials`.
    ///
    /// - Throws: `remote` if the bytes are anything else.
    package static func key(xml: [UInt8], from origin: String) throws(Failure) -> AccessKey {
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
        if end != nil, expiration == nil { throw .remote("\(origin) answered with an Expiration that is not a time") }
        let key = AccessKey(identifier: identifier, secret: secret, token: token, expiration: expiration)
        guard key.isUsable else {
            throw .remote("\(origin) answered with a key that is empty, or has characters that no key has")
        }
        return key
    }

    /// The text between tags, without blanks around it; nil if it has tags or references such as `&amp;`: keys have no
    /// such characters.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        let hasMarks = bytes.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }
        return hasMarks ? nil : String(validating: bytes.trimmed, as: UTF8.self)
    }

    /// What stands between a tag and its end; nil unless both are there once, and the tag without attributes.
    static func content(of tag: String, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let starts = places(of: Array("<\(tag)>".utf8), in: text)
        let ends = places(of: Array("</\(tag)>".utf8), in: text)
        guard starts.count == 1, ends.count == 1, starts[0].upperBound <= ends[0].lowerBound else { return nil }
        return text[starts[0].upperBound..<ends[0].lowerBound]
    }

    static func places(of word: [UInt8], in text: ArraySlice<UInt8>) -> [Range<Int>] {
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
