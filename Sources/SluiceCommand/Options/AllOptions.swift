import ArgumentParser

/// All options, for the help, the manual page and completion too.
struct AllOptions: ParsableCommand {
    static let configuration = Options.configuration

    @OptionGroup var common: Options
    @OptionGroup var special: SpecialOptions

    /// Parses no more than it takes.
    ///
    /// - Throws: what `AllOptions` explains: a mistake, or a request for help.
    static func parsing(_ words: [String]) throws -> (common: Options, special: SpecialOptions?) {
        if let common = try? Options.parse(words) { return (common, nil) }
        let all = try parse(words)
        return (all.common, all.special)
    }
}
