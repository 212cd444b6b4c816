import Sluice

/// What is done: each operation is a file in Commands.
extension Flag {
    static let operations = Group(
        title: "Operations",
        flags: [
            Flag(
                Compress(), "Compress each FILE to FILE.zst (default).",
                manual: """
                    Frames are independent, of one size, and made on all CPUs. Every zstd reads them.
                    """
            )
            .letter("z")
            .zstd("same", "independent frames on all CPUs; one frame when called by a name of zstd's"),
            Flag(
                Decompress(), "Decompress; also reads gzip, xz, lzma and lz4.",
                manual: """
                    Many frames are decompressed in parallel, whoever wrote them.
                    """
            )
            .letter("d").aliases("uncompress")
            .zstd("same", "many frames in parallel; a file gets its name when it is complete"),
            Flag(
                Check(), "Decompress and verify without writing anything.",
                manual: """
                    A damaged file is examined to its end: each bad place is reported with its bytes in the file and in \
                    the content, and how much of the content is intact.
                    """
            )
            .letter("t")
            .zstd("same", "a file whose announced seek table is missing is an error: it was truncated"),
            Flag(
                List(), "List frames, sizes and ratio.",
                manual: """
                    With -v: bytes, the largest window, the dictionary, and the checksum of a single frame. Sizes are \
                    what headers claim; -t tells whether they are true.
                    """
            )
            .letter("l")
            .zstd(
                "same under zstd's names; else a table with the seek table",
                "standard input is listed if it is a file; `--json`"),
            Flag("json", "With -l or --recover: report as JSON, for programs.") { $0.settings.reporting.isJSON = true }
                .only(with: .json, hint: "it also works with -d --recover"),
            Flag(Copy(), "Copy the input unchanged, with progress, statistics and limits."),
            Flag(
                Append(), "Compress, and add the result to the end of the file that -o names.",
                manual: """
                    What the file holds already is not compressed again.
                    """
            )
            .excludes(
                "single-frame", "long", "patch-from", "max",
                because: "a file can't grow if it is a single frame", hint: "added frames are like those of any run"
            )
            .excludes("dictionary", because: "added frames refer to no dictionary")
            .excludes("flush-interval", because: "a file gets its name only at the end")
            .excludes(
                "rm", because: "the sources of --append are kept", hint: "leave --rm out, and remove them afterwards"),
            Flag(
                Join(),
                "Join the parts of a file into -o FILE.zst; with -d, finish a file whose parts were decompressed.",
                manual: """
                    The parts are files that --part has written; the result is what a single run would have written. With -d \
                    FILE gets its name when all parts of FILE.zst have been decompressed into it.
                    """
            )
            .excludes(
                "level", "fast", "frame-size", "long", "single-frame", "flush-interval", "no-check", "stream-size",
                "zstd", "adapt", "rsyncable", "max", "target-compressed-block-size", "row-match-finder",
                "no-row-match-finder", "compress-literals", "no-compress-literals", "no-content-size", "align",
                "dictionary", "patch-from", "patch-apply", "hash", "limit-rate", "buffer",
                because: "parts are joined unchanged", hint: "use it for the parts, and leave it out here"),
            Flag(JoinContent(), "The same as -d --join.").hidden(),
            Flag(
                Train(), "Train a dictionary on sample files; written to ./dictionary or -o FILE.",
                manual: """
                    -B cuts large samples.
                    """
            )
            .zstd(
                "same",
                "through libzstd; an existing file is replaced only with `-f`, as everywhere: without its dictionary files are lost"
            ),
            Flag(
                Measure(), "Benchmark levels in memory: -b1 -e5 measures levels 1 to 5; -d only decompression."
            )
            .letter("b")
            .zstd("levels in a table", "Zstandard only, as there", spelled: "`-b#`"),
            Flag("help", "Show this help.") { $0.answer = .help }
                .letter("H").answered().zstd("the whole help"),
            Flag("usage", "Show the most common options on one screen.") { $0.answer = .usage }
                .letter("h").answered().zstd("help on one screen", spelled: "`-h`"),
            Flag("version", "Show the version.") { $0.answer = .version }
                .letter("V").answered()
                .zstd("same under zstd's names", "the version is libzstd's; under our own name both are shown"),
        ])
}
