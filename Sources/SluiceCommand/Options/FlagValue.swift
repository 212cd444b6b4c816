import SluiceEngine

/// An option as it was typed: its spelling, and its value, which the option itself parses.
struct FlagValue: Sendable {
    let flag: Flag
    /// With its dashes.
    let spelling: String
    /// False after `--no-`.
    var isOn = true
    /// The value as typed; nil if there is none.
    var bytes: [UInt8]?

    /// A letter, such as -d.
    var isShort: Bool { !spelling.hasPrefix("--") }
    /// The value, or the default if none was typed.
    var text: String { bytes.map { String(decoding: $0, as: UTF8.self) } ?? flag.argument.standard ?? "" }

    /// Whether both turn the same option on, or off.
    func isSame(as other: FlagValue) -> Bool { flag.key == other.flag.key && isOn == other.isOn }

    /// Names, each with its value if it has one, such as `wlog=20,strat=6`.
    var pairs: [(name: String, value: String?)] {
        text.split(separator: ",", omittingEmptySubsequences: false).map { word in
            let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return (sides[0], sides.count == 2 ? sides[1] : nil)
        }
    }

    /// Exit statuses with commas between; nil if it is anything else.
    var statuses: [Int]? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        return numbers.allSatisfy((1...255).contains) ? numbers : nil
    }

    func mistake(_ wanted: String, _ word: String? = nil) -> Complaint {
        let word = word ?? text
        return .usage(
            "\(spelling) takes \(wanted), not \(word.isEmpty ? "an empty value" : word.withoutSecrets.printable)")
    }

    /// - Parameter mayBeURL: whether the option reads URLs, too, which `RemoteInputs` then makes a path of.
    func path(mayBeURL: Bool = false) throws(Complaint) -> FilePath {
        guard let bytes, !bytes.isEmpty else { throw .usage("an empty file name") }
        if URLParts.isMeant(by: bytes), !mayBeURL { throw .unusableURL(bytes, of: spelling) }
        return FilePath(word: bytes)
    }

    /// Bytes.
    func size(_ word: String? = nil) throws(Complaint) -> UInt64 {
        guard let size = ByteCount.parse(word ?? text) else { throw mistake("a number of bytes, such as 8M", word) }
        return size
    }

    /// A number that fits 32 bits, with or without a unit.
    func number() throws(Complaint) -> Int {
        let isDigits = !text.isEmpty && text.utf8.allSatisfy(\.isDigit)
        guard let number = ByteCount.parse(text) ?? (isDigits ? .max : nil) else {
            let name = isShort ? spelling : spelling + "="
            throw mistake("\(flag.argument.noun), such as \(name)\(flag.argument.example)")
        }
        guard number <= UInt32.max else { throw .usage("\(spelling): the number does not fit in 32 bits") }
        return Int(number)
    }
}

extension [String] {
    /// As in `a, b or c`.
    var listed: String { count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1] }
}

/// The value that an option takes, if any, as help and completion show it.
struct FlagArgument: Sendable {
    /// Whether a value is typed with the option.
    enum Presence: Equatable, Sendable {
        case none
        /// Optional, with this default.
        case optional(String)
        case required
    }

    enum Kind: Sendable {
        case text, words
        /// A number of bytes, with its unit.
        case size
        case file, folder
        /// A member of the archive that is an operand.
        case member
    }

    var presence = Presence.required
    var kind = Kind.text
    /// The name of the value in the help.
    var name = ""
    /// A noun for the value, and a typical value, for messages.
    var noun = ""
    var example = ""
    var choices: @Sendable () -> [String] = { [] }

    static var none: FlagArgument { FlagArgument(presence: .none) }

    /// The default value; nil if there is none.
    var standard: String? { if case .optional(let standard) = presence { standard } else { nil } }
    /// The value in the help.
    var placeholder: String { kind == .words ? choices().joined(separator: "|") : name }
    /// A value that may be typed, for messages.
    var sample: String { kind == .words ? choices().first ?? "" : example }
    var isPath: Bool { kind == .file || kind == .folder }
}
