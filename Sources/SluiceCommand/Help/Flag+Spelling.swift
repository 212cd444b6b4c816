/// How options are shown.
extension Flag {
    /// With what stands for the value, as in `--stats[=text|json]`.
    var longSpelling: String {
        let negation = isNegatable ? "[no-]" : ""
        return "--\(negation)\(name)\(valueSpelling)"
    }

    private var valueSpelling: String {
        if argument.kind == .none { return "" }
        return argument.standard == nil ? "=\(argument.placeholder)" : "[=\(argument.placeholder)]"
    }

    /// Other names, for the manual.
    var otherSpellings: String { aliases.map { "--" + $0 }.joined(separator: ", ") }

    static var visible: [Flag] { groups.flatMap(\.flags).filter { !$0.isHidden } }
}
