/// A command line that makes no sense, in one sentence.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String
    var hint: String? = "sluice --help lists the options"

    init(_ description: String) {
        self.description = description
    }
}
