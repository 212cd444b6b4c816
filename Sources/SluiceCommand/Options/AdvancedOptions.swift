internal import ArgumentParser
public import Sluice

/// What is seldom needed.
struct AdvancedOptions: ParsableArguments {
    @Option(
        name: .customLong("read"),
        help: ArgumentHelp(
            "Who reads a file to compress: dispatch, the workers, or auto (workers if it is cached and every CPU has one).",
            valueName: "who"))
    var reading: Reading = .auto
}

extension Reading: ExpressibleByArgument {}
