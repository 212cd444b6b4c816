import ArgumentParser

/// The options as they are typed, after `Dialect` has rewritten them: declared and documented here, given a meaning in
/// `Settings`. Those that few runs have are `SpecialOptions`.
struct Options: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sluice",
        abstract: "Stream files through Zstandard, in parallel both ways.",
        usage: """
            sluice [options] [file ...]
            sluice -d [options] [file.zst ...]
            producer | sluice [options] | consumer
            """,
        discussion: """
            Each FILE becomes FILE.zst beside it, or with -d the other way round; the source stays. Without a file, or \
            for -, standard input goes to standard output. Options that zstd has too work as they do there. A file appears \
            under its name only when it is complete and on the disk.
            """,
        version: Version.line,
        helpNames: [.long, .customShort("H")])

    // For the help, the manual page and completion; `Dialect` keeps the operands, which are bytes.
    @Argument(help: ArgumentHelp("Files to read; - is standard input.", valueName: "file"), completion: .file())
    var files: [String] = []

    @OptionGroup(title: "What to do") var mode: ModeOptions
    @OptionGroup(title: "How to compress") var compression: CompressionOptionGroup
    @OptionGroup(title: "What is read") var input: InputOptions
    @OptionGroup(title: "Where it goes") var output: OutputOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Messages") var messages: MessageOptions
    @OptionGroup(title: "Advanced") var advanced: AdvancedOptions
}
