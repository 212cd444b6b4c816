import ArgumentParser

/// What is set of libzstd besides the level.
struct TuningOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Numbers of libzstd, such as wlog=20,strat=6: wlog, clog, hlog, slog, mml, tlen, strat, ovlog, lhlog, lmml, lblog, lhrlog.",
            valueName: "numbers"))
    var zstd: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Written --adapt or --adapt=min=N,max=N: let the level follow how fast the input comes and the output goes, from 1 to 19 if not said.",
            valueName: "bounds"))
    var adapt: [String] = []

    @Flag(
        name: .long,
        help: "End frames where the content says, so that a change leaves most of them as they were, for rsync.")
    var rsyncable = false

    // Dialect adds it where it matters that this was not -T1.
    @Flag(name: .long, help: ArgumentHelp("Where workers are needed.", visibility: .hidden)) var singleThread = false

    @Flag(name: .customLong("show-default-cparams"), help: "Say first which numbers the level has for each file.")
    var showsParameters = false

    @Flag(name: .customLong("max"), help: "What is strongest and slowest, in one frame; takes gigabytes of memory.")
    var isStrongest = false

    @Option(
        name: .customLong("target-compressed-block-size"),
        help: ArgumentHelp("Bytes that a compressed block is to have.", valueName: "size"))
    var blockSize: String?

    @Flag(
        name: .long, inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "Use the row-based match finder, or not, at levels 5 to 12.")
    var rowMatchFinder: Bool?

    @Flag(
        name: .long, inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "Compress literals, or not; by the level if not said.")
    var compressLiterals: Bool?

    @Flag(
        name: .long, inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "Say in each frame how many bytes its content has, if that is known.")
    var contentSize = true

    /// Whether any of them says how the output is made.
    var areGiven: Bool {
        !zstd.isEmpty || !adapt.isEmpty || rsyncable || isStrongest || blockSize != nil || rowMatchFinder != nil
            || compressLiterals != nil || !contentSize
    }
}
