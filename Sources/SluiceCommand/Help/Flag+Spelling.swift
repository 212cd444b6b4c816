/// Spells options for the help.
extension Flag {
    /// The option with its value, as in `--stats[=text|json]`.
    var longSpelling: String {
        let long = "--\(isNegatable ? "[no-]" : "")\(name)"
        if argument.kind == .none { return long }
        return long + (argument.standard == nil ? "=\(argument.placeholder)" : "[=\(argument.placeholder)]")
    }

    static var visible: [Flag] { groups.flatMap(\.flags).filter { !$0.isHidden } }
}
