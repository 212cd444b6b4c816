internal import ByteStreams

/// What object stores answer about uploads, and are asked: a few tags, whose content is a short text.
enum XMLText {
    /// What stands between a tag and its end, for the first of that name.
    static func content(of tag: String, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        sections(tag, in: text, most: 1).first
    }

    /// What stands between each tag of a name and its end.
    static func sections(_ tag: String, in text: ArraySlice<UInt8>, most: Int = .max) -> [ArraySlice<UInt8>] {
        let (name, close) = (Array("<\(tag)".utf8), Array("</\(tag)>".utf8))
        var (sections, rest) = ([ArraySlice<UInt8>](), text)
        while sections.count < most, let start = place(of: name, in: rest) {
            // The outermost one may name its space: `<Result xmlns="…">`.
            guard let end = rest[start...].firstIndex(of: UInt8(ascii: ">")) else { break }
            let after = rest.index(start, offsetBy: name.count)
            guard rest[after] == UInt8(ascii: ">") || rest[after] == UInt8(ascii: " ") else {
                rest = rest[after...]
                continue
            }
            guard let last = place(of: close, in: rest[(end + 1)...]) else { break }
            sections.append(rest[(end + 1)..<last])
            rest = rest[(last + close.count)...]
        }
        return sections
    }

    private static func place(of word: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
        guard text.count >= word.count else { return nil }
        var rest = text
        while let start = rest.firstIndex(of: word[0]), text.endIndex - start >= word.count {
            if text[start..<start + word.count].elementsEqual(word) { return start }
            rest = text[(start + 1)...]
        }
        return nil
    }

    /// The text of a tag without tags within; nil if there is none.
    static func text(_ tag: String, in text: ArraySlice<UInt8>) -> String? {
        guard let content = content(of: tag, in: text), !content.contains(UInt8(ascii: "<")),
            let text = String(validating: content, as: UTF8.self)
        else { return nil }
        return marks.reduce(text) { (text: String, mark: (name: String, text: String)) -> String in
            text.split(separator: mark.name, omittingEmptySubsequences: false).joined(separator: mark.text)
        }
    }

    /// `&amp;` last, so that what it makes is no mark.
    private static let marks: [(name: String, text: String)] = [
        ("&quot;", "\""), ("&#34;", "\""), ("&apos;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"),
    ]

    /// Asks to make an object of parts.
    static func completion(_ parts: [WrittenObject.Part]) -> [UInt8] {
        var text = Array("<CompleteMultipartUpload>".utf8)
        for part in parts {
            text += Array("<Part><PartNumber>\(part.number)</PartNumber><ETag>".utf8) + escaped(part.tag)
            text += Array("</ETag>".utf8)
            if let checksum = part.checksum { text += Array("<ChecksumCRC32C>\(checksum)</ChecksumCRC32C>".utf8) }
            text += Array("</Part>".utf8)
        }
        return text + Array("</CompleteMultipartUpload>".utf8)
    }

    private static func escaped(_ text: [UInt8]) -> [UInt8] {
        text.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "<"): Array("&lt;".utf8)
            case UInt8(ascii: ">"): Array("&gt;".utf8)
            case UInt8(ascii: "&"): Array("&amp;".utf8)
            default: [byte]
            }
        }
    }
}
