/// Spells options for the help.
extension Flag {
    /// The start of its line in the help, such as `  -q, --quiet`.
    var lineStart: String { "  " + (shortSpelling.map { $0 + ", " } ?? "    ") + longSpelling }

    /// The option with its value, as in `--stats[=text|json]`.
    var longSpelling: String {
        "--\(isNegatable ? "[no-]" : "")\(name)\(argument.suffix(argument.placeholder))"
    }
}

extension FlagArgument {
    /// What follows an option's name, if the value is spelled like this.
    func suffix(_ value: String) -> String {
        switch presence {
        case .none: ""
        case .optional: "[=\(value)]"
        case .required: "=\(value)"
        }
    }
}
