import ArgumentParser

/// What to do.
struct ModeOptions: ParsableArguments {
    // Which one is the default is said by its help.
    @Flag(exclusivity: .chooseLast) var mode: Mode?

    @Flag(name: .long, help: "With -l: print what is found as JSON, for programs.") var json = false
}
