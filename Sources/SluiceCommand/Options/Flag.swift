import SluiceEngine

/// The declaration of an option: everything that the command knows about it.
///
/// The lexer, the help, the manual page, completion and the table of zstd's options walk over these declarations
/// (`Flag.groups`). To add an option, add a declaration to the file of its group.
struct Flag: Sendable {
    let key: Name
    let argument: FlagArgument
    /// Applies the option to the settings. What depends on other options is settled after all of them.
    ///
    /// Throws a `Complaint`; a closure without a signature can't declare that.
    let apply: @Sendable (inout Settings, FlagValue) throws -> Void
    /// The operation that the option chooses, if any.
    private(set) var operation: (any Command)?

    /// One sentence for `--help`, and the first of the manual.
    private(set) var help = ""
    /// The rest of its text in the manual, in which options are set in bold.
    private(set) var manual = ""
    /// Its line in `-h`, which lists only common options; nil if it is left out.
    private(set) var brief: String?
    private(set) var zstd: [ZstdEntry] = []

    private(set) var letter: UInt8?
    /// Other long names.
    private(set) var aliases: [String] = []
    /// Whether `--no-NAME` turns it off.
    private(set) var isNegatable = false

    /// The options that an operation must accept for this one to have a meaning; nil if it always has one.
    private(set) var scope: Scope?
    private(set) var exclusions: [Exclusion] = []
    /// The option that is forgotten if it was given before.
    private(set) var overridden: Name?
    /// Options at least one of which must be given, too.
    private(set) var needs: [Name] = []
    /// The operands that it works on; nil for any.
    private(set) var operandRule: OperandRule?

    /// The operations for which an option has a meaning, and what happens with others.
    struct Scope: Sendable {
        enum Answer: Sendable {
            case ignored
            /// Ignored with a warning, which says why.
            case warned(String)
            /// An error, with a hint if there is something to do.
            case refused(hint: String?)
        }

        let groups: OptionGroups
        let answer: Answer
        /// Other words that choose an operation that accepts it.
        var others: [String] = []
    }

    /// Options that can't be combined with another.
    struct Exclusion: Sendable {
        let names: [Name]
        /// Those that exclude it by being turned off.
        let namesOff: [Name]
        let reason: String
        let hint: String?
        /// The options that an operation must accept for the conflict to matter.
        let scope: OptionGroups
    }

    /// The operands that an option works on.
    enum OperandRule: Sendable {
        /// At most one, which must not be a directory.
        case one
        /// One file that is named, not standard input.
        case oneNamed
    }

    /// A line of the table that compares with zstd.
    struct ZstdEntry: Sendable {
        /// The option as zstd spells it; nil for all its names here.
        let spelling: String?
        let here: String
        let difference: String
    }
}

extension Flag {
    /// The long name, without dashes.
    var name: String { key.rawValue }
}

/// The forms of a declaration. `Request` looks for an option that applies nothing when it settles other options.
extension Flag {
    init<Value>(
        _ name: Name, _ argument: Argument<Value>,
        apply: @escaping @Sendable (inout Settings, Value) throws -> Void = { _, _ in }
    ) {
        let read = argument.read
        self.init(key: name, argument: argument.form, apply: { try apply(&$0, try read($1)) })
    }

    /// An option without a value.
    init(_ name: Name, apply: @escaping @Sendable (inout Settings) -> Void = { _ in }) {
        self.init(key: name, argument: .none, apply: { settings, _ in apply(&settings) })
    }

    /// An option that is turned on, and off with `no-` before its name.
    init(switch name: Name, apply: @escaping @Sendable (inout Settings, Bool) -> Void = { _, _ in }) {
        self.init(key: name, argument: .none, apply: { apply(&$0, $1.isOn) }, isNegatable: true)
    }

    /// An option that chooses the operation.
    init(_ name: Name, _ operation: any Command) {
        self.init(key: name, argument: .none, apply: { _, _ in }, operation: operation)
    }

    /// An option that is ignored, except that its value is checked.
    init<Value>(ignored name: Name, _ argument: Argument<Value>) {
        self.init(name, argument)
        help = "Accepted and ignored."
    }
}

/// Further parts of a declaration: each returns the option with one more.
extension Flag {
    private consuming func with(_ change: (inout Flag) -> Void) -> Flag {
        change(&self)
        return self
    }

    consuming func help(_ sentence: String) -> Flag { with { $0.help = sentence } }
    consuming func manual(_ text: String) -> Flag { with { $0.manual = text } }
    consuming func common(_ brief: String) -> Flag { with { $0.brief = brief } }
    consuming func letter(_ letter: Unicode.Scalar) -> Flag { with { $0.letter = UInt8(ascii: letter) } }
    consuming func aliases(_ names: String...) -> Flag { with { $0.aliases = names } }
    consuming func negatable() -> Flag { with { $0.isNegatable = true } }
    consuming func chooses(_ operation: any Command) -> Flag { with { $0.operation = operation } }
    consuming func takes(_ rule: OperandRule) -> Flag { with { $0.operandRule = rule } }
    consuming func needs(_ names: Name...) -> Flag { with { $0.needs = names } }
    consuming func overrides(_ name: Name) -> Flag { with { $0.overridden = name } }

    /// Ignored by operations that do not accept these options.
    consuming func applies(to groups: OptionGroups) -> Flag { scope(groups, .ignored) }

    consuming func warns(without groups: OptionGroups, _ reason: String) -> Flag { scope(groups, .warned(reason)) }

    consuming func only(with groups: OptionGroups, hint: String? = nil) -> Flag {
        scope(groups, .refused(hint: hint))
    }

    /// Adds words that choose another operation that accepts it.
    consuming func alsoWorks(with words: String) -> Flag { with { $0.scope?.others.append(words) } }

    private consuming func scope(_ groups: OptionGroups, _ answer: Scope.Answer) -> Flag {
        with { $0.scope = Scope(groups: groups, answer: answer) }
    }

    consuming func excludes(
        _ names: Name..., off namesOff: [Name] = [], because reason: String, hint: String? = nil,
        when scope: OptionGroups = []
    ) -> Flag {
        with {
            $0.exclusions.append(
                Exclusion(names: names, namesOff: namesOff, reason: reason, hint: hint, scope: scope))
        }
    }

    /// Adds what zstd's option does here, and the difference.
    consuming func zstd(_ here: String, _ difference: String = "", spelled spelling: String? = nil) -> Flag {
        with { $0.zstd.append(ZstdEntry(spelling: spelling, here: here, difference: difference)) }
    }
}
