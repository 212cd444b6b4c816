/// The kind of value that an option takes, as help and completion show it.
struct FlagArgument: Sendable {
    enum Kind: Sendable {
        case none, text, words
        /// A number of 32 bits, as zstd's are.
        case number
        /// A number of bytes, with its unit.
        case size
        case file, folder
        /// A member of the archive that is an operand.
        case member
    }

    var kind = Kind.none
    /// The name of the value in the help.
    var name = ""
    /// A noun for the value, and a typical value, for messages.
    var noun = ""
    var example = ""
    var choices: @Sendable () -> [String] = { [] }
    /// The value that holds if none is typed; nil if one is required.
    var standard: String?

    /// The value in the help.
    var placeholder: String { kind == .words ? choices().joined(separator: "|") : name }
    var isPath: Bool { kind == .file || kind == .folder }
}
