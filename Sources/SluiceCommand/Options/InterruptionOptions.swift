import ArgumentParser

/// What becomes of a run that does not come to its end.
struct InterruptionOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: "Go on where an earlier run with this option was interrupted: it leaves its output as .NAME.part.")
    var resume = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "When a disk is full: wait for room, or fail; it waits on a terminal, if this is not said.",
            valueName: "what"))
    var onFull: FullDiskAnswer?
}

extension FullDiskAnswer: ExpressibleByArgument {}
