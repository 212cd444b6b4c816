/// A command line that makes no sense, in one sentence.
struct UsageError: Error, Equatable, CustomStringConvertible {
    /// What there is to do where nothing better is known.
    static let help = "sluice --help lists the options"

    let description: String
    let hint: String?

    init(_ description: String, hint: String = help) {
        self.description = description
        self.hint = hint
    }
}
