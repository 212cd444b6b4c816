import ArgumentParser

/// What is read.
struct InputOptions: ParsableArguments {
    @Flag(name: [.customShort("r"), .long], help: "Of folders, do the files that are in them; links with -f only.")
    var recursive = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read names from this file too, or with - from standard input: one in each line, or each before a zero byte.",
            valueName: "file"),
        completion: .file())
    var filelist: [Int] = []

    @Flag(name: .long, help: "Leave out what is compressed, as its suffix tells: archives, pictures, films.")
    var excludeCompressed = false
}
