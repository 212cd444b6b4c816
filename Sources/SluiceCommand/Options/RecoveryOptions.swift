public import ArgumentParser
public import Sluice

/// What is done with a file that is damaged.
struct RecoveryOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Written --recover or --recover=how: with -d, decompress what is whole of a damaged file; what is lost becomes zeros, or with drop is left out, and is told, as JSON with --json. Exit code 1 if anything is lost.",
            valueName: "how"))
    var recover: LossFilling?
}

extension LossFilling: ExpressibleByArgument {}
