import SluiceEngine

/// Splits the words of a command line, which are bytes, into options and operands. File names are never decoded.
///
/// The syntax is zstd's: letters may be joined, digits among them are a level, and a number follows its letter without
/// a space, before the next letter.
struct Lexer {
    /// The operands before the option that `next` has returned; at the end, all of them.
    private(set) var operands: [[UInt8]] = []
    private var words: ArraySlice<[UInt8]>
    /// The remaining letters of the last word.
    private var letters: ArraySlice<UInt8> = []
    /// The words after `--`, which are not options; nil without it.
    private(set) var rest: [[UInt8]]?

    /// - Parameter words: those after the command's own name.
    init(_ words: [[UInt8]]) { self.words = words[...] }

    /// The next option; nil at the end.
    mutating func next() throws(Complaint) -> FlagValue? {
        while letters.isEmpty {
            guard let word = words.popFirst() else { return nil }
            if word.isEmpty { throw .usage("an empty file name") }
            if word[0] != UInt8(ascii: "-") || word.count == 1 {
                operands.append(word)
            } else if word[1] != UInt8(ascii: "-") {
                letters = word.dropFirst()
            } else if word.count > 2 {
                return try long(word)
            } else {
                rest = Array(words)
                words = []
            }
        }
        return try short()
    }

    private mutating func long(_ word: [UInt8]) throws(Complaint) -> FlagValue {
        let end = word.firstIndex(of: UInt8(ascii: "=")) ?? word.count
        let spelling = String(decoding: word[..<end], as: UTF8.self)
        guard let (flag, isOn) = Flag.named(word[2..<end]) else { throw Flag.unknown(spelling) }
        var value = FlagValue(flag: flag, spelling: spelling, isOn: isOn)
        if end < word.count { value.bytes = Array(word[(end + 1)...]) }
        switch isOn ? flag.argument.presence : .none {
        case .none: if value.bytes != nil { throw .usage("\(spelling) takes no value") }
        case .optional: if value.bytes == nil { try refuseChoice(after: value) }
        case .required: if value.bytes == nil { value.bytes = try following(spelling, flag.argument, joint: "=") }
        }
        if flag.argument.kind == .size { try refuseUnit(after: value) }
        return value
    }

    private mutating func short() throws(Complaint) -> FlagValue {
        let first = letters[letters.startIndex]
        if first.isDigit {
            // In -19T0 the T is an option.
            let digits = takeDigits()
            let spelling = "-" + String(decoding: digits, as: UTF8.self)
            guard let flag = Flag.called(.level) else { throw Flag.unknown(spelling) }
            return FlagValue(flag: flag, spelling: spelling, bytes: digits)
        }
        letters = letters.dropFirst()
        let spelling = "-" + String(decoding: [first], as: UTF8.self)
        guard let flag = Flag.lettered(first) else { throw Flag.unknown(spelling) }
        var value = FlagValue(flag: flag, spelling: spelling)
        if flag.argument.presence == .none { return value }
        switch flag.argument.kind {
        case .file, .folder:
            let isJoined = letters.first == UInt8(ascii: "=")
            value.bytes = isJoined ? Array(letters.dropFirst()) : try following(spelling, flag.argument, joint: " ")
            if isJoined { letters = [] }
        case .text, .member, .words, .size:
            let number = takeNumber()
            if number.isEmpty {
                let fault =
                    letters.isEmpty
                    ? "without a space" : "not " + String(decoding: letters, as: UTF8.self).withoutSecrets.printable
                let (noun, example) = (flag.argument.noun, flag.argument.example)
                throw .usage("\(spelling) takes \(noun), such as \(spelling)\(example), \(fault)")
            }
            value.bytes = number
            // Threads have no unit: a word after -T is a file, even one named M.
            if letters.isEmpty, first != UInt8(ascii: "T") { try refuseUnit(after: value) }
        }
        return value
    }

    /// - Parameter joint: what stands between the option and its value in the example.
    private mutating func following(
        _ spelling: String, _ argument: FlagArgument, joint: String
    ) throws(Complaint) -> [UInt8] {
        guard let word = words.popFirst() else {
            throw .usage("\(spelling) needs a value, such as \(spelling)\(joint)\(FilePath(argument.sample).quoted)")
        }
        return word
    }

    /// Refuses a value that is a separate word after an option whose value is optional: it would be taken for a file.
    private func refuseChoice(after value: FlagValue) throws(Complaint) {
        guard let next = words.first.map({ String(decoding: $0, as: UTF8.self) }),
            value.flag.argument.choices().contains(next)
        else { return }
        throw .usage(
            "\(value.spelling) and its value must be one word, \(value.spelling)=\(next)",
            hint: "for a file named \(next), write ./\(next)")
    }

    /// Refuses a unit that is a separate word: in `--limit-rate 10 M`, M would be a file, and the rate ten bytes per
    /// second.
    private func refuseUnit(after value: FlagValue) throws(Complaint) {
        guard UInt64(value.text) != nil, let unit = words.first.map({ String(decoding: $0, as: UTF8.self) }),
            unit.first?.isNumber == false, RateSetting.parse("1" + unit) != nil
        else { return }
        throw .usage(
            "\(value.spelling) \(value.text) \(unit): a number and its unit must be one word, \(value.text)\(unit)",
            hint: "for a file named \(unit), write ./\(unit)")
    }

    private mutating func takeDigits() -> [UInt8] {
        let digits = letters.prefix(while: \.isDigit)
        letters = letters.dropFirst(digits.count)
        return Array(digits)
    }

    /// Digits and the letters of a unit, such as `8MiB`.
    private mutating func takeNumber() -> [UInt8] {
        let digits = takeDigits()
        guard let unit = letters.first, "KMGT".utf8.contains(unit) else { return digits }
        let ends = ["iB", "B", "i", ""]
        let end = ends.first { letters.dropFirst().starts(with: $0.utf8) } ?? ""
        let count = 1 + end.utf8.count
        defer { letters = letters.dropFirst(count) }
        return digits + letters.prefix(count)
    }
}
