import ArgumentParser

/// What a run may take.
struct LimitOptions: ParsableArguments {
    @Option(
        name: [.customShort("T"), .long],
        help: ArgumentHelp("Workers, as in -T4; 0, the default: as many as CPUs may be used.", valueName: "n"))
    var threads: Int?

    @Option(
        name: [.customShort("M"), .long],
        help: ArgumentHelp(
            "Keep to so much memory: threads, slots and, last, frames are cut to fit; what is left, if not said. With -d also the largest window to accept, 128 MiB if not said.",
            valueName: "size"))
    var memory: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read no more than this each second, such as 10M: bytes of the input, which with -d are compressed ones; @FILE takes it from a file, again whenever that changes.",
            valueName: "size"))
    var limitRate: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Let so much input wait between a bursty producer and a slow consumer.", valueName: "size"))
    var buffer: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write nothing until the buffer is so full, and again when it has run dry.", valueName: "percent"))
    var bufferStart: Double?

    @Flag(
        name: .long, inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "Touch only the files and folders of this run, where the kernel can enforce it (Landlock).")
    var sandbox = true
}
