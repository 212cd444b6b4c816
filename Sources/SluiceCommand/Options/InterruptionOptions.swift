import ArgumentParser

/// What becomes of a run that does not come to its end.
struct InterruptionOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: "Go on where an earlier run with this option was interrupted: it leaves its output as .NAME.part.")
    var resume = false
}
