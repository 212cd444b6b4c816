import ZstdCodec

/// Options for one file on several machines.
extension Flag {
    static let machines: [Flag] = [
        Flag(.part, .text("K/N", "a part", "3/16"))
            .help("Compress part K of N of a file to FILE.K-of-N.zst; with -d, decompress it to FILE.K-of-N.")
            .manual(
                """
                auto takes K and N from the job array that runs the command, auto/N takes only K from it. --join \
                makes one file of compressed parts, cat of decompressed ones.
                """
            )
            .only(with: .parts)
            .takes(.oneNamed)
            .excludes(.recover, because: "--part processes a share of an intact file")
            .excludes(.resume, because: "a part that was interrupted is made again")
            .excludes(
                .singleFrame, .long, .adapt, .rsyncable, .flushInterval, .dictionary, .patchFrom, .max,
                because: "parts are independent frames of equal size", when: .frames
            )
            .excludes(.patchApply, because: "parts are independent frames")
            .excludes(.rm, because: "the source holds more than the output", hint: "leave --rm out")
            .excludes(.hash, because: "it would look like the hash of the whole file"),
        Flag(.headerLines, .number("N", "a number of lines", "1").within(1...1000, "1 to 1000 lines")) {
            $0.decoding.headerLines = $1
        }
        .help("With -d --part: each part begins with the first N lines of the file, such as the header of a CSV.")
        .only(with: .parts)
        .needs(.part),
        Flag(
            .align,
            Argument<UInt64>.size().map { Int(clamping: $0) }.within(FrameAlignment.sizes, "a size from 64K to 1G")
        ) {
            $0.compression.options.alignment = $1
        }
        .help("Start a frame at each multiple of SIZE (64K to 1G) in the output, for uploads in parts.")
        .manual("No frame crosses a multiple; the space before it is padded.")
        .only(with: .alignment, hint: "a joined file is aligned as its parts are")
        .excludes(.singleFrame, .long, .patchFrom, because: "a single frame crosses all multiples")
        .excludes(.resume, because: "aligned output can't be continued"),
    ]
}
