internal import Glibc
internal import RemoteSources
internal import Sluice

extension Subject {
    /// Whatever answers those who want a key, it is one whose parts can stand in the line of a header, and which is
    /// what it is written as; or a failure that says nothing but what it would say of others.
    package static let keys = Subject("keys") { input in
        var bytes = input
        let kind = bytes.takeNumber(UInt8.self) % 4
        let key: AccessKey
        do throws(Failure) { key = try read(kind, Array(bytes)) } catch {
            return try promise(sentences.contains(error.message), "it says: \(error.message)")
        }
        for part in [key.identifier, key.secret, key.token ?? "x"] {
            try promise(!part.isEmpty, "a part of a key is empty")
            try promise(part.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a part of a key ends a line")
        }
        if let end = key.expiration, !(0..<253_402_300_800 ~= end) { return }
        try promise(try read(kind, written(key, kind)) == key, "written and read again it is another key")
    }

    private static func read(_ kind: UInt8, _ bytes: [UInt8]) throws(Failure) -> AccessKey {
        switch kind {
        case 0: try KeyDocument.key(xml: bytes, from: "x")
        case 1: try KeyDocument.key(json: bytes, .command, from: "x")
        case 2: try KeyDocument.key(json: bytes, .container, from: "x")
        default: try KeyDocument.key(json: bytes, .machine, from: "x")
        }
    }

    /// All that a failure may say.
    private static let sentences: Set<String> = {
        var sentences: Set = [
            "x answered with something other than a JSON object", "x answered with something other than a key",
            "x answered with a key that is empty, or has characters that no key has",
            "x answered with an Expiration that is not a time",
            "x answered with a value of Version that is not a whole number",
        ]
        for name in ["AccessKeyId", "SecretAccessKey", "SessionToken", "Token", "Expiration", "Code", "Version"] {
            sentences.insert("x answered without \(name)")
            sentences.insert("x answered with a value of \(name) that is not a string")
            sentences.insert("x answered with a \(name) that marks something other than a key")
        }
        return sentences
    }()

    private static func written(_ key: AccessKey, _ kind: UInt8) -> [UInt8] {
        let parts = [
            ("AccessKeyId", key.identifier), ("SecretAccessKey", key.secret),
            (kind < 2 ? "SessionToken" : "Token", key.token), ("Expiration", key.expiration.map(time)),
            ("Code", kind == 3 ? "Success" : nil),
        ]
        let known = parts.compactMap { name, text in text.map { (name, $0) } }
        if kind == 0 {
            return Array("<Credentials>\(known.map { "<\($0)>\($1)</\($0)>" }.joined())</Credentials>".utf8)
        }
        var lines = known.map { name, text -> String in
            let escaped = text.flatMap { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }
            return "\"\(name)\": \"\(String(escaped))\""
        }
        if kind == 1 { lines.append("\"Version\": 1") }
        return Array("{\(lines.joined(separator: ", "))}".utf8)
    }

    private static func time(_ seconds: Int) -> String {
        var (seconds, parts, text) = (seconds, tm(), [CChar](repeating: 0, count: 40))
        gmtime_r(&seconds, &parts)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
