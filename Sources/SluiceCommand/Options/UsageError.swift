/// A command line that makes no sense, in one sentence.
struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The hint where there is no better one.
    static let help = "sluice --help lists the options"

    let description: String
    let hint: String?

    init(_ description: String, hint: String = help) {
        self.description = description
        self.hint = hint
    }
}
