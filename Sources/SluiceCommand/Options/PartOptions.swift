import ArgumentParser

/// Which share of a file a machine does.
struct PartOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Compress the K-th of N parts of a file, to FILE.K-of-N.zst or -o FILE, or with -d decompress it into its place of the output; auto takes K and N from the job array that this runs in, auto/N takes K only.",
            valueName: "K/N"))
    var part: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --join: the statistics tell of the runs that made the parts, too, which --stats-file=folder has written there with --part.",
            valueName: "folder"),
        completion: .directory)
    var partStats: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Let no frame straddle a multiple of so many bytes of the output, 64K to 1G, as the parts of an upload ask for; what is left before one is filled.",
            valueName: "size"))
    var align: String?
}
