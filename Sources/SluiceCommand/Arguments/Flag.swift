import Sluice

/// An option, and all that is known of it: nothing else in the command spells it.
///
/// The lexer, the help, the manual page, completion and the table of zstd's options are walks over these
/// declarations (`Flag.groups`). To add an option is to add one to the file of its group.
struct Flag: Sendable {
    /// Throws a `UsageError`; a closure without a signature can't say so.
    typealias Apply = @Sendable (inout Request, FlagValue) throws -> Void

    /// The long name, without its dashes.
    let name: String
    let argument: FlagArgument
    /// One sentence for `--help`, and the first of the manual.
    let help: String
    /// What else the manual says: plain text, in which options are set in bold.
    let manual: String
    /// Tells the request what was typed. What depends on other options is settled after all have been heard.
    let apply: Apply

    private(set) var letter: UInt8?
    /// Other long names.
    private(set) var aliases: [String] = []
    /// Whether `--no-NAME` turns it off.
    private(set) var isNegatable = false
    /// What `-h` says of it, which has most in mind; nil if it passes over it.
    private(set) var brief: String?
    /// Whether it is understood, and neither shown nor offered.
    private(set) var isHidden = false
    /// Whether it is answered at once, without a look at the words behind it.
    private(set) var endsParsing = false
    /// What an operation has to heed for the option to mean something; nil if it always does.
    private(set) var scope: Scope?
    private(set) var exclusions: [Exclusion] = []
    private(set) var need: Need?
    /// Which operands it can work on.
    private(set) var operandRule: OperandRule?
    private(set) var zstd: [ZstdEntry] = []
    /// The operation that it chooses.
    private(set) var operation: (any Command)?

    init(
        _ name: String, _ argument: FlagArgument, _ help: String, manual: String = "", apply: @escaping Apply
    ) {
        (self.name, self.argument, self.help, self.manual, self.apply) = (name, argument, help, manual, apply)
    }

    /// An option without a value.
    init(_ name: String, _ help: String, manual: String = "", apply: @escaping @Sendable (inout Request) -> Void) {
        self.init(name, .none, help, manual: manual) { request, _ in apply(&request) }
    }

    /// An option that is turned on, and off by `no-` before its name.
    init(
        switch name: String, _ help: String, manual: String = "",
        apply: @escaping @Sendable (inout Request, Bool) -> Void
    ) {
        self.init(name, .none, help, manual: manual) { request, value in apply(&request, value.isOn) }
        isNegatable = true
    }

    /// An option that chooses what is done.
    init(_ operation: any Command, _ help: String, manual: String = "") {
        self.init(operation.activity.name, .none, help, manual: manual) { $0.choose(operation, $1) }
        self.operation = operation
    }

    /// An option that changes nothing here.
    init(ignored name: String, _ argument: FlagArgument = .none) {
        self.init(name, argument, "Accepted and ignored.") { _, _ in }
    }
}

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

/// Options of which another needs one.
struct Need: Sendable {
    let names: [String]
    let sentence: String
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

/// What a declaration may add: each returns the option with it.
extension Flag {
    private func with(_ change: (inout Flag) -> Void) -> Flag {
        var flag = self
        change(&flag)
        return flag
    }

    func letter(_ letter: Unicode.Scalar) -> Flag { with { $0.letter = UInt8(ascii: letter) } }
    func aliases(_ names: String...) -> Flag { with { $0.aliases = names } }
    func negatable() -> Flag { with { $0.isNegatable = true } }
    func common(_ brief: String) -> Flag { with { $0.brief = brief } }
    func hidden() -> Flag { with { $0.isHidden = true } }
    func answered() -> Flag { with { $0.endsParsing = true } }

    /// Passed over by operations that do not heed this.
    func heeded(by heeded: HeededOptions) -> Flag { with { $0.scope = Scope(heeded: heeded, answer: .ignored) } }

    func warns(without heeded: HeededOptions, _ reason: String) -> Flag {
        with { $0.scope = Scope(heeded: heeded, answer: .warned(reason)) }
    }

    func only(with heeded: HeededOptions, hint: String? = nil) -> Flag {
        with { $0.scope = Scope(heeded: heeded, answer: .refused(hint: hint)) }
    }

    func excludes(
        _ names: String..., because reason: String, hint: String? = nil, when scope: HeededOptions = []
    ) -> Flag {
        with { $0.exclusions.append(Exclusion(names: names, reason: reason, hint: hint, scope: scope)) }
    }

    func needs(_ names: String..., or sentence: String) -> Flag {
        with { $0.need = Need(names: names, sentence: sentence) }
    }

    func takes(_ rule: OperandRule) -> Flag { with { $0.operandRule = rule } }

    /// What the option of zstd does here, and what differs.
    func zstd(_ here: String, _ difference: String = "", spelled spelling: String? = nil) -> Flag {
        with { $0.zstd.append(ZstdEntry(spelling: spelling, here: here, difference: difference)) }
    }
}
