import ArgumentParser

/// Where it goes.
struct OutputOptions: ParsableArguments {
    @Option(
        name: [.customShort("o"), .long], help: ArgumentHelp("Write to this file.", valueName: "file"),
        completion: .file())
    var output: Int?

    @Flag(name: [.customShort("c"), .long], help: "Write to standard output.") var stdout = false

    @Option(
        name: .long, help: ArgumentHelp("Write all outputs into this folder.", valueName: "folder"),
        completion: .directory)
    var outputDirFlat: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write the outputs into this folder, in folders like those of the sources.", valueName: "folder"),
        completion: .directory)
    var outputDirMirror: Int?

    @Flag(
        name: [.customShort("f"), .long],
        help: "Replace files, read devices and links, use a terminal for compressed data.")
    var force = false

    @Flag(
        name: .long, inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "With -d: pass on what is in no format that is read; so it is with -f and -c.")
    var passThrough: Bool?

    @Flag(exclusivity: .chooseLast) var source: SourceFate?

    @Flag(
        name: .long, inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "With -d: leave long runs of zeros out of the output, as holes; by default of files that are named only.")
    var sparse: Bool?

    @Flag(
        name: .long, inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "Wait until the output is on the disk; what is compressed goes there past the page cache.")
    var sync = true
}
