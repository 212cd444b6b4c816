/// The kind of value that an option takes.
struct FlagArgument: Sendable {
    enum Kind: Sendable {
        case none, text, words
        /// A number of 32 bits, as zstd's are.
        case number
        /// A number of bytes, with its unit.
        case size
        case file, folder
    }

    let kind: Kind
    /// What stands for the value in the help.
    let name: String
    /// What it is, and one that makes sense, for messages.
    let noun: String
    let example: String
    private(set) var choices: @Sendable () -> [String] = { [] }
    /// What the option means without a value; nil if it must have one.
    private(set) var standard: String?

    static var none: FlagArgument { FlagArgument(kind: .none, name: "", noun: "", example: "") }

    static func text(_ name: String, _ noun: String, _ example: String) -> FlagArgument {
        FlagArgument(kind: .text, name: name, noun: noun, example: example)
    }
    static func number(_ name: String, _ noun: String, _ example: String) -> FlagArgument {
        FlagArgument(kind: .number, name: name, noun: noun, example: example)
    }
    static func size(_ name: String = "SIZE", _ example: String = "8M") -> FlagArgument {
        FlagArgument(kind: .size, name: name, noun: "a number of bytes", example: example)
    }
    static func file(_ name: String = "FILE") -> FlagArgument {
        FlagArgument(kind: .file, name: name, noun: "a file name", example: "")
    }
    static var folder: FlagArgument {
        FlagArgument(kind: .folder, name: "DIR", noun: "a directory", example: "")
    }
    /// One of these words.
    static func words(_ choices: @escaping @Sendable () -> [String]) -> FlagArgument {
        FlagArgument(kind: .words, name: "", noun: "", example: "", choices: choices)
    }
    static func words<Choice: RawRepresentable & CaseIterable & SendableMetatype>(_: Choice.Type) -> FlagArgument
    where Choice.RawValue == String, Choice.AllCases: SendableMetatype {
        words { Choice.allCases.map(\.rawValue) }
    }

    /// The same, which may be left out.
    func or(_ standard: String) -> FlagArgument {
        var argument = self
        argument.standard = standard
        return argument
    }

    /// As the help spells it.
    var placeholder: String { kind == .words ? choices().joined(separator: "|") : name }
    var isPath: Bool { kind == .file || kind == .folder }
}
