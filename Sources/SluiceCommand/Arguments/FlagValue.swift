import Sluice
import SystemPackage

/// What was typed of an option: how it was spelled, and its value, which the option reads as what it takes.
struct FlagValue: Sendable {
    /// With its dashes.
    let spelling: String
    /// False after `--no-`.
    var isOn = true
    /// Nil if there is none, which only an optional one may be.
    var bytes: [UInt8]?
    var argument = FlagArgument.none

    /// A letter, such as -d.
    var isShort: Bool { !spelling.hasPrefix("--") }
    /// The value, or what stands for it if it was left out.
    var text: String { bytes.map { String(decoding: $0, as: UTF8.self) } ?? argument.standard ?? "" }
    private var shown: String { text.isEmpty ? "an empty value" : text.printable }

    func mistake(_ wanted: String, _ word: String? = nil) -> UsageError {
        UsageError("\(spelling) takes \(wanted), not \(word.map(\.printable) ?? shown)")
    }

    func path() throws(UsageError) -> FilePath {
        guard let bytes, !bytes.isEmpty else { throw UsageError("an empty file name") }
        return FilePath(word: bytes)
    }

    /// Bytes.
    func size(_ word: String? = nil) throws(UsageError) -> UInt64 {
        guard let size = ByteCount.parse(word ?? text) else { throw mistake("a number of bytes, such as 8M", word) }
        return size
    }

    /// A number that fits 32 bits, with or without a unit.
    func number() throws(UsageError) -> Int {
        let isDigits = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let number = ByteCount.parse(text) ?? (isDigits ? .max : nil) else {
            let name = isShort ? spelling : spelling + "="
            throw mistake("\(argument.noun), such as \(name)\(argument.example)")
        }
        guard number <= UInt32.max else { throw UsageError("\(spelling): the number is over 32 bits") }
        return Int(number)
    }

    func number(in range: ClosedRange<Double>, _ wanted: String) throws(UsageError) -> Double {
        guard let number = Double(text), range.contains(number) else { throw mistake(wanted) }
        return number
    }

    /// One of the words that the option knows.
    func word() throws(UsageError) -> String {
        let words = argument.choices()
        guard words.contains(text) else {
            throw mistake(words.dropLast().joined(separator: ", ") + " or " + (words.last ?? ""))
        }
        return text
    }

    func choice<Choice: RawRepresentable>() throws(UsageError) -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: try word()) else { throw mistake("another word") }
        return choice
    }
}
