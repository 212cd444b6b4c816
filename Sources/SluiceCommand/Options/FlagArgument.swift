/// The kind of value that an option takes, as help and completion show it.
struct FlagArgument: Sendable {
    enum Kind: Sendable {
        case none, text, words
        /// A number of 32 bits, as zstd's are.
        case number
        /// A number of bytes, with its unit.
        case size
        case file, folder
        /// Of the archive that is named.
        case member
    }

    var kind = Kind.none
    /// What stands for the value in the help.
    var name = ""
    /// What it is, and one that makes sense, for messages.
    var noun = ""
    var example = ""
    var choices: @Sendable () -> [String] = { [] }
    /// What the option means without a value; nil if it must have one.
    var standard: String?

    static var none: FlagArgument { FlagArgument() }

    /// As the help spells it.
    var placeholder: String { kind == .words ? choices().joined(separator: "|") : name }
    var isPath: Bool { kind == .file || kind == .folder }
}
