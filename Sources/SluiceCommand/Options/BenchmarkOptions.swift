import ArgumentParser

/// How levels are measured.
struct BenchmarkOptions: ParsableArguments {
    @Option(
        name: [.customShort("e"), .long], help: ArgumentHelp("The last level, as in -b1 -e5.", valueName: "level"))
    var lastLevel: Int?

    @Option(
        name: [.customShort("i"), .long],
        help: ArgumentHelp("How long each way of each level is measured, as in -i5; 3 if not said.", valueName: "n"))
    var seconds: Int?

    @Flag(name: [.customShort("S"), .long], help: "Measure each file for itself.") var separately = false

    @Option(
        name: [.customShort("P"), .long],
        help: ArgumentHelp("Without a file: how much of what is made up repeats, 50 if not said.", valueName: "percent")
    )
    var compressibility: Int?

    @Flag(name: .long, help: ArgumentHelp("What -d is after -b.", visibility: .hidden)) var onlyDecompression = false
}
