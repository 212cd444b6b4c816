import ArgumentParser

/// What frames refer to beside their own content, and how dictionaries are made.
struct DictionaryOptions: ParsableArguments {
    @Option(
        name: [.customShort("D"), .long],
        help: ArgumentHelp("Compress or decompress with this dictionary.", valueName: "file"), completion: .file())
    var dictionary: Int?

    @Flag(name: .customLong("no-dictID"), help: "Do not say in frames which dictionary they need.")
    var leavesIdentifierOut = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write the difference to this file, up to 2 GiB, in one frame; with -d: apply it.", valueName: "file"),
        completion: .file())
    var patchFrom: Int?

    @Option(
        name: .long,
        help: ArgumentHelp("With -d: the same.", valueName: "file"), completion: .file())
    var patchApply: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Written --train-cover, --train-fastcover or --train-legacy, with numbers as in --train-cover=k=200,d=8: how to train.",
            valueName: "how"))
    var trainer: String?

    @Option(
        name: .customLong("selectivity"),
        help: ArgumentHelp("What -s9 is, for --train-legacy.", visibility: .hidden))
    var selectivity: Int?

    @Option(
        name: .customLong("maxdict"),
        help: ArgumentHelp("The most bytes of a dictionary that is made, 110 KiB if not said.", valueName: "size"))
    var sizeLimit: String?

    @Option(
        name: .customLong("dictID"),
        help: ArgumentHelp("The number of a dictionary that is made.", valueName: "n"))
    var identifier: UInt32?
}
