/// The value that an option takes, if any, as help and completion show it.
struct FlagArgument: Sendable {
    /// Whether a value is typed with the option.
    enum Presence: Equatable, Sendable {
        case none
        /// Without one, this value holds.
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

    /// The value that holds if none is typed; nil if there is none.
    var standard: String? { if case .optional(let standard) = presence { standard } else { nil } }
    /// The value in the help.
    var placeholder: String { kind == .words ? choices().joined(separator: "|") : name }
    var isPath: Bool { kind == .file || kind == .folder }
}
