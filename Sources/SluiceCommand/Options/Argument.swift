import SluiceEngine

/// The value of an option: what the help shows, and how it is read.
struct Argument<Value>: Sendable {
    private(set) var form: FlagArgument
    /// Throws a `Complaint`; a closure without a signature can't declare that.
    let read: @Sendable (FlagValue) throws -> Value

    /// The same argument, but optional: `standard` is the default.
    func or(_ standard: String) -> Argument {
        var argument = self
        argument.form.presence = .optional(standard)
        return argument
    }

    /// The same argument, whose value is `value` after `--no-`.
    func off(_ value: Value) -> Argument where Value: Sendable {
        Argument(form: form) { [read] in $0.isOn ? try read($0) : value }
    }

    func map<Other>(_ change: @escaping @Sendable (Value) -> Other) -> Argument<Other> {
        Argument<Other>(form: form) { [read] in change(try read($0)) }
    }

    /// - Parameter wanted: what the option takes, for the error where `change` returns nil.
    func map<Other>(or wanted: String, _ change: @escaping @Sendable (Value) -> Other?) -> Argument<Other> {
        Argument<Other>(form: form) { [read] typed in
            guard let other = change(try read(typed)) else { throw typed.mistake(wanted) }
            return other
        }
    }

    func within(_ range: ClosedRange<Value>, _ wanted: String) -> Argument where Value: Comparable & Sendable {
        map(or: wanted) { range.contains($0) ? $0 : nil }
    }
}

extension Argument<FlagValue> {
    static var none: Self { Self(form: .none) { $0 } }

    /// A value that the option reads itself.
    static func typed(_ name: String, _ noun: String, _ example: String, _ kind: FlagArgument.Kind = .text) -> Self {
        Self(form: FlagArgument(kind: kind, name: name, noun: noun, example: example)) { $0 }
    }
}

extension Argument<String> {
    static func text(_ name: String, _ noun: String, _ example: String) -> Self {
        Argument<FlagValue>.typed(name, noun, example).map(\.text)
    }

    /// Any text; these words are offered.
    static func anything(_ offered: String...) -> Self {
        Argument<FlagValue>(form: FlagArgument(kind: .words, choices: { offered })) { $0 }.map(\.text)
    }

    /// One of these words.
    static func words(_ choices: @escaping @Sendable () -> [String]) -> Self {
        Self(form: FlagArgument(kind: .words, choices: choices)) { typed in
            guard choices().contains(typed.text) else { throw typed.mistake(choices().listed) }
            return typed.text
        }
    }
}

extension Argument where Value: RawRepresentable<String> & CaseIterable & SendableMetatype {
    static func words(_: Value.Type) -> Self {
        Argument<String>.words { Value.allCases.map(\.rawValue) }.map(or: "another word") { Value(rawValue: $0) }
    }
}

extension Argument<Int> {
    static func number(_ name: String, _ noun: String, _ example: String) -> Self {
        Self(form: FlagArgument(name: name, noun: noun, example: example)) { try $0.number() }
    }
}

extension Argument<Double> {
    static func number(_ name: String, _ wanted: String, _ example: String, in range: ClosedRange<Double>) -> Self {
        Argument<String>.text(name, wanted, example).map(or: wanted) { Double($0) }.within(range, wanted)
    }
}

extension Argument<UInt64> {
    static func size(_ name: String = "SIZE", _ example: String = "8M") -> Self {
        Self(form: FlagArgument(kind: .size, name: name, noun: "a number of bytes", example: example)) {
            try $0.size()
        }
    }
}

extension Argument<FilePath> {
    static func file(_ example: String, mayBeURL: Bool = false) -> Self {
        Self(form: FlagArgument(kind: .file, name: "FILE", noun: "a file name", example: example)) {
            try $0.path(mayBeURL: mayBeURL)
        }
    }

    static func folder(_ example: String) -> Self {
        Self(form: FlagArgument(kind: .folder, name: "DIR", noun: "a directory", example: example)) { try $0.path() }
    }
}
