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

    @Flag(
        name: .customLong("single-core-decoding"),
        help: "Leave each frame to libzstd, also a large one, which several cores would decode together.")
    var decodesOnOneCore = false
}

extension Reading: ExpressibleByArgument {}
