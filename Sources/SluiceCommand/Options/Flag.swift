import Sluice

/// An option, and all that is known of it: nothing else in the command spells it.
///
/// The lexer, the help, the manual page, completion and the table of zstd's options are walks over these
/// declarations (`Flag.groups`). To add an option is to add one to the file of its group.
struct Flag: Sendable {
    /// The long name, without its dashes.
    let name: String
    let argument: FlagArgument
    /// Tells the request what was typed. What depends on other options is settled after all have been heard.
    ///
    /// Throws a `UsageError`; a closure without a signature can't say so.
    let apply: @Sendable (inout Request, FlagValue) throws -> Void
    /// The operation that it chooses.
    private(set) var operation: (any Command)?

    /// One sentence for `--help`, and the first of the manual.
    private(set) var help = ""
    /// What else the manual says: plain text, in which options are set in bold.
    private(set) var manual = ""
    /// Its line in `-h`, which lists only common options; nil if it is left out.
    private(set) var brief: String?
    private(set) var zstd: [ZstdEntry] = []

    private(set) var letter: UInt8?
    /// Other long names.
    private(set) var aliases: [String] = []
    /// Whether `--no-NAME` turns it off.
    private(set) var isNegatable = false
    /// Whether it is understood, and neither shown nor offered.
    private(set) var isHidden = false
    /// Whether it is answered at once, without a look at the words behind it.
    private(set) var endsParsing = false

    /// What an operation has to heed for the option to mean something; nil if it always does.
    private(set) var scope: Scope?
    private(set) var exclusions: [Exclusion] = []
    /// Options of which it needs one.
    private(set) var needs: [String] = []
    /// Which operands it can work on.
    private(set) var operandRule: OperandRule?

    /// What happens to an option that means nothing to the operation.
    struct Scope: Sendable {
        enum Answer: Sendable {
            case ignored
            /// With a warning, which says why.
            case warned(String)
            /// With a hint, if there is something to do.
            case refused(hint: String?)
        }

        let heeded: HeededOptions
        let answer: Answer
        /// Words that choose an operation which heeds it, too.
        var others: [String] = []
    }

    /// Options that can't be combined with another.
    struct Exclusion: Sendable {
        /// Their names; with `no-` if they are turned off.
        let names: [String]
        let reason: String
        let hint: String?
        /// What the operation has to heed for that to matter.
        let scope: HeededOptions
    }

    /// Which operands an option works on.
    enum OperandRule: Sendable {
        /// One at most, and no folders.
        case one
        /// The same, which is a file that is named.
        case oneNamed
    }

    /// A line of the table that compares with zstd.
    struct ZstdEntry: Sendable {
        /// As zstd spells it; nil for all names of the option.
        let spelling: String?
        let here: String
        let difference: String
    }

    private init(_ name: String, heard apply: @escaping @Sendable (inout Request, FlagValue) throws -> Void) {
        (self.name, self.argument, self.apply) = (name, .none, apply)
    }
}

/// The forms of a declaration. Key paths are made when an option is typed: those of all options take longer than a
/// small file.
extension Flag {
    typealias Place<Value> = @Sendable () -> WritableKeyPath<Request, Value>

    init<Value>(
        _ name: String, _ argument: Argument<Value>, apply: @escaping @Sendable (inout Request, Value) throws -> Void
    ) {
        (self.name, self.argument) = (name, argument.form)
        self.apply = { [read = argument.read] in try apply(&$0, try read($1)) }
    }

    /// - Parameter kept: what is kept of the value.
    init<Value, Kept>(
        _ name: String, _ argument: Argument<Value>, to place: @autoclosure @escaping Place<Kept>,
        as kept: @escaping @Sendable (Value) -> Kept
    ) {
        self.init(name, argument) { $0[keyPath: place()] = kept($1) }
    }

    init<Value>(_ name: String, _ argument: Argument<Value>, to place: @autoclosure @escaping Place<Value>) {
        self.init(name, argument) { $0[keyPath: place()] = $1 }
    }

    init<Value>(_ name: String, _ argument: Argument<Value>, to place: @autoclosure @escaping Place<Value?>) {
        self.init(name, argument) { $0[keyPath: place()] = $1 }
    }

    /// An option without a value.
    init(_ name: String, apply: @escaping @Sendable (inout Request) -> Void) {
        self.init(name, heard: { request, _ in apply(&request) })
    }

    init(_ name: String, on place: @autoclosure @escaping Place<Bool>) {
        self.init(name) { $0[keyPath: place()] = true }
    }

    init(_ name: String, off place: @autoclosure @escaping Place<Bool>) {
        self.init(name) { $0[keyPath: place()] = false }
    }

    /// An option that is turned on, and off by `no-` before its name.
    init(switch name: String, apply: @escaping @Sendable (inout Request, Bool) -> Void) {
        self.init(name, heard: { apply(&$0, $1.isOn) })
        isNegatable = true
    }

    init(switch name: String, _ place: @autoclosure @escaping Place<Bool>) {
        self.init(switch: name) { $0[keyPath: place()] = $1 }
    }

    init(switch name: String, _ place: @autoclosure @escaping Place<Bool?>) {
        self.init(switch: name) { $0[keyPath: place()] = $1 }
    }

    /// An option that chooses what is done.
    init(_ operation: any Command) {
        self.init(operation.activity.name, heard: { $0.choose(operation, $1) })
        self.operation = operation
    }

    /// An option that changes nothing here; its value is checked.
    init<Value>(ignored name: String, _ argument: Argument<Value>) {
        self.init(name, argument) { _, _ in }
        help = "Accepted and ignored."
    }
}

/// What a declaration may add: each returns the option with it.
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
    consuming func hidden() -> Flag { with { $0.isHidden = true } }
    consuming func answered() -> Flag { with { $0.endsParsing = true } }
    consuming func takes(_ rule: OperandRule) -> Flag { with { $0.operandRule = rule } }
    consuming func needs(_ names: String...) -> Flag { with { $0.needs = names } }

    /// Passed over by operations that do not heed this.
    consuming func heeded(by heeded: HeededOptions) -> Flag { scope(heeded, .ignored) }

    consuming func warns(without heeded: HeededOptions, _ reason: String) -> Flag { scope(heeded, .warned(reason)) }

    consuming func only(with heeded: HeededOptions, hint: String? = nil) -> Flag {
        scope(heeded, .refused(hint: hint))
    }

    /// What an option of another operation chooses with these words heeds it, too.
    consuming func alsoWorks(with words: String) -> Flag { with { $0.scope?.others.append(words) } }

    private consuming func scope(_ heeded: HeededOptions, _ answer: Scope.Answer) -> Flag {
        with { $0.scope = Scope(heeded: heeded, answer: answer) }
    }

    consuming func excludes(
        _ names: String..., because reason: String, hint: String? = nil, when scope: HeededOptions = []
    ) -> Flag {
        with { $0.exclusions.append(Exclusion(names: names, reason: reason, hint: hint, scope: scope)) }
    }

    /// What the option of zstd does here, and what differs.
    consuming func zstd(_ here: String, _ difference: String = "", spelled spelling: String? = nil) -> Flag {
        with { $0.zstd.append(ZstdEntry(spelling: spelling, here: here, difference: difference)) }
    }
}
