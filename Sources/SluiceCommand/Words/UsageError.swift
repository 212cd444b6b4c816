/// A command line that makes no sense, in one sentence.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String
    let hint: String?

    init(_ description: String, hint: String = "sluice --help lists the options") {
        self.description = description
        self.hint = hint
    }
}
