/// Options for scripts that were written for zstd.
extension Flag {
    static let compatibility: [Flag] = [
        Flag(.format, .words { ["zstd", "gzip", "xz", "lzma", "lz4"] })
            .help("Only zstd is written; with -d, any of them is read, whatever the option says.")
            .zstd("same", spelled: "`--format=zstd`")
            .zstd(
                "with `-d` and `-t`", "reads them; refuses to write them",
                spelled: "`--format=gzip`, `--format=xz`, `--format=lzma`, `--format=lz4`"),
        Flag(.singleThread) { $0.limits.chosenThreads = 1 }
            .help("As -T1, but can't be combined with --adapt or --rsyncable, as in zstd.")
            .zstd("as `-T1`", "can't be combined with `--adapt` or `--rsyncable`, as there"),
        Flag(.lastLevel, .number("N", "a level", "19")) { $0.measuring.lastLevel = $1 }.letter("e")
            .help("With -b: the last level, as in -b1 -e5.")
            .zstd("same", spelled: "`-e#`"),
        Flag(.seconds, .number("N", "a number of seconds", "3")) {
            $0.measuring.time = .seconds(min($1, 86400))
        }
        .letter("i")
        .help("With -b: seconds for each level (default 3).")
        .zstd("same", spelled: "`-i#`"),
        Flag(.separately) { $0.measuring.isSeparate = true }.letter("S")
            .help("With -b: measure each file by itself.")
            .zstd("same", spelled: "`-S`"),
        Flag(
            .compressibility, .number("PERCENT", "a percentage", "50").within(0...100, "a percentage, 0 to 100")
        ) {
            $0.measuring.compressibility = Double($1) / 100
        }
        .letter("P")
        .help("With -b and no file: how much of the synthetic data repeats (default 50).")
        .zstd("same", spelled: "`-P#`"),
        Flag(ignored: .asyncio, .none).negatable()
            .zstd("accepted and ignored", "reading and writing never wait for each other"),
        Flag(ignored: .mmapDict, .none).negatable()
            .zstd("accepted and ignored", "files are not mapped: one that shrinks would end the process"),
        Flag(ignored: .noName, .none).letter("n")
            .zstd("accepted and ignored", "names are never stored"),
        Flag(ignored: .autoThreads, .anything("physical", "logical"))
            .zstd(
                "accepted and ignored", "all CPUs that the process may use",
                spelled: "`--auto-threads={physical\\|logical}`"),
        Flag(ignored: .priority, .words { ["rt"] })
            .zstd("accepted and ignored", spelled: "`--priority=rt`"),
    ]
}
