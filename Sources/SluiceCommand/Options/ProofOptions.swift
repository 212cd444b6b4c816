public import ArgumentParser

/// What proves that the content is what it should be.
struct ProofOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Written --hash or --hash=name: print a hash of the content, sha256 if not said, as sha256sum does; md5, sha1, sha224, sha256, sha384, sha512 or blake2b512.",
            valueName: "name"))
    var hash: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Written --verify: decompress each frame that is made, and compare it, before it is written. Or --verify=file: read the file back from the disk, and decompress it, before it has its name. With --join: compare each part with its checksum.",
            valueName: "what"))
    var verify: [Verified] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With -t: compare the content with that of a file, and tell the first byte that differs.",
            valueName: "file"),
        completion: .file())
    var against: Int?
}

/// What is verified of what is compressed.
public enum Verified: String, CaseIterable, ExpressibleByArgument {
    /// Each frame, in memory, by who makes it.
    case frames
    /// The finished file, on the disk.
    case file
}
