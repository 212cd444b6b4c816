/// Options that choose the operation: each is a type in Commands.
extension Flag {
    static let operations: [Flag] = [
        Flag(.compress, Compress()).letter("z")
            .help("Compress each FILE to FILE.zst (default).")
            .manual("Frames are independent, of equal size, and compressed on all CPUs. Every zstd reads them.")
            .zstd("same", "independent frames on all CPUs; one frame when called by a name of zstd's"),
        Flag(.decompress, Decompress()).letter("d").aliases("uncompress")
            .help("Decompress; also reads gzip, xz, lzma and lz4.")
            .manual("Several frames are decompressed in parallel, whichever program wrote them.")
            .zstd("same", "many frames in parallel; a file gets its name when it is complete"),
        Flag(.test, Check()).letter("t")
            .help("Decompress and verify without writing anything.")
            .manual(
                """
                A damaged file is examined to its end. Each damaged range is reported with its position in the file \
                and in the content, and the amount of intact content.
                """
            )
            .zstd(
                "same",
                """
                a file whose announced seek table is missing is an error: it was truncated; checksums that only a seek \
                table has are compared, but not under zstd's names
                """),
        Flag(.list, List()).letter("l")
            .help("List frames, sizes and ratio.")
            .manual(
                """
                With -v: exact bytes, the largest window, the dictionary ID, the checksum of a single frame, and each \
                frame of a file. Sizes are what headers claim; -t tells whether they are true.
                """
            )
            .zstd(
                "same under zstd's names; otherwise a table that also shows the seek table",
                "standard input is listed if it is a file; `--json`"),
        Flag(.json) { $0.reporting.isJSON = true }
            .help("With -l or --recover: report as JSON, for programs.")
            .only(with: .json, hint: "it also works with -d --recover"),
        Flag(.frames) { $0.reporting.listsFrames = true }
            .help("With -l: also list each frame, with its place in the file and in the content, as -v does.")
            .manual("With --json: in the report, too.")
            .only(with: .listing),
        Flag(.copy, Copy())
            .help("Copy the input unchanged, with progress, statistics and limits.")
            .manual(
                """
                To standard output, or to the file that -o names; several inputs become one output. With --parity a \
                compressed file gets parity, and is not compressed again.
                """
            )
            .excludes(
                .outputDirFlat, .outputDirMirror, because: "the copy goes to standard output or one file",
                hint: "-o FILE names the file"),
        Flag(.append, Append())
            .help("Compress, and add the result to the end of the file that -o names.")
            .manual("What the file already holds is not compressed again.")
            .excludes(
                .singleFrame, .long, .patchFrom, .max,
                because: "a file can't grow if it is a single frame", hint: "--append adds independent frames"
            )
            .excludes(.dictionary, because: "added frames can't use a dictionary")
            .excludes(.flushInterval, because: "a file gets its name only at the end")
            .excludes(
                .rm, because: "the sources of --append are kept", hint: "leave --rm out, and remove them afterwards"),
        Flag(.recompress) { $0.input.isDecoded = true }
            .help("Decompress FILE.gz, .zst, .xz or .lz4, and compress its content anew to FILE.zst.")
            .manual(
                """
                In one run, with all options of compression. A new file is decoded before it gets its name, and its \
                content compared with that of the source; then --rm removes that.
                """
            )
            .only(with: .frames)
            .excludes(.part, .resume, because: "only files that were not compressed can be continued, or shared out")
            .excludes(.streamSize, .read, because: "the content is decoded, and not read")
            .excludes(.fromCommand, because: "a command that decompresses can be its input as it is")
            .excludes(.append, because: "added content is not compared", hint: "sluice -dc OLD | sluice --append")
            .excludes(.flushInterval, because: "frames end early for streams that are still being written")
            .excludes(.excludeCompressed, because: "its inputs are compressed"),
        Flag(.join, Join())
            .help("Join the compressed parts of a file into -o FILE.zst.")
            .manual(
                """
                The parts are files that --part has written; the result is what a single run would have written. \
                Decompressed parts are joined by cat.
                """
            )
            .excludes(
                .level, .fast, .frameSize, .long, .singleFrame, .flushInterval, .streamSize, .zstd, .adapt, .rsyncable,
                .max, .targetCompressedBlockSize, .rowMatchFinder, .compressLiterals, .align, .dictionary, .patchFrom,
                .patchApply, .hash, .limitRate, .buffer,
                off: [.check, .rowMatchFinder, .compressLiterals, .contentSize],
                because: "parts are joined unchanged", hint: "use it for the parts, and leave it out here"),
        Flag(.repair, RepairFile())
            .help("Write a file with parity as it was made, to FILE.repaired.zst or -o.")
            .manual(
                """
                Nothing is written if some of it can't be repaired: -d --recover then gets out what is left. With -f, -o \
                may name the file itself, which is replaced when the new one is complete.
                """
            )
            .excludes(.rm, because: "the damaged file is kept", hint: "-f -o FILE replaces FILE itself"),
        Flag(.train, Train())
            .help("Train a dictionary on sample files; written to ./dictionary or -o FILE.")
            .manual("-B cuts large samples.")
            .zstd(
                "same",
                "through libzstd; an existing file is replaced only with `-f`, as everywhere: without its dictionary, a file can't be decompressed"
            ),
        Flag(.benchmark, Measure()).letter("b")
            .help("Benchmark levels in memory: -b1 -e5 measures levels 1 to 5; with -d: only decompression.")
            .zstd("levels in a table", "Zstandard only, as there", spelled: "`-b#`"),
        Flag(.help) { $0.answer = .help }.letter("H")
            .help("Show this help.")
            .zstd("the whole help"),
        Flag(.usage) { $0.answer = .usage }.letter("h")
            .help("Show the most common options on one screen.")
            .zstd("help on one screen", spelled: "`-h`"),
        Flag(.version) { $0.answer = .version }.letter("V")
            .help("Show the version; with -v: also those of the libraries.")
            .zstd("same under zstd's names", "the version is libzstd's; under our own name both are shown"),
    ]
}
