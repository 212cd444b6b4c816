import ArgumentParser

/// How to compress.
struct CompressionOptionGroup: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Level: 1 to 19, with --ultra to 22, 3 if not said; in short -1 to -22. Negative ones are faster: --fast[=N], 1 if not said.",
            valueName: "level"))
    var level: Int?

    @Flag(name: .long, help: "Allow the levels 20 to 22.") var ultra = false

    @Option(name: .long, help: ArgumentHelp("For zstd's sake: zstd is what is written.", visibility: .hidden))
    var format: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Written --long or --long=N: match over a window of 2^N bytes, 27 if not said, in one frame; with -d: accept such a window.",
            valueName: "N"))
    var long: Int?

    @Option(
        name: [.customShort("B"), .long],
        help: ArgumentHelp(
            "Decompressed bytes of each frame, as in -B8M; by the level if not said, 4 to 128 MiB.", valueName: "size"))
    var frameSize: String?

    @Flag(
        name: .long, inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "One frame, for readers that stop after the first; the default when called zstd, unless -B is given.")
    var singleFrame: Bool?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "End a frame when its first byte is this old, for live streams to standard output.", valueName: "seconds"))
    var flushInterval: Double?

    @Flag(
        name: [.customShort("C"), .long], inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "End each frame with a checksum of its content.")
    var check = true

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Bytes that come from standard input, for the bar and the header; another number is an error.",
            valueName: "size"))
    var streamSize: String?
}
