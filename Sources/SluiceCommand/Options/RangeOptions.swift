import ArgumentParser

/// Which part of a content is decompressed.
struct RangeOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "With -d: begin behind so many bytes of the content, such as 10M, or with -10M so many before its end; to standard output, or -o FILE.",
            valueName: "n"))
    var offset: String?

    @Option(
        name: .long,
        help: ArgumentHelp("With -d: so many bytes of the content, from --offset or its start on.", valueName: "n"))
    var length: String?

    @Option(name: .long, help: ArgumentHelp("With -d: the last bytes of the content.", valueName: "n"))
    var tail: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With -d: bytes A to B of the content, counted from 0, B included, as in HTTP: A-B, A- or -N for the last N; several, here with commas or in further options, are joined in their order.",
            valueName: "A-B"))
    var range: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With these: keep where the frames lie in this file, if only decoding everything can tell, and read it the next time.",
            valueName: "file"),
        completion: .file())
    var index: Int?

    var areGiven: Bool { offset != nil || length != nil || tail != nil || !range.isEmpty || index != nil }
}
