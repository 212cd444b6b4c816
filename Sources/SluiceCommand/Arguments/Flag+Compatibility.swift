import ForeignCodec
import Sluice

/// What only matters to scripts that were written for zstd.
extension Flag {
    private static let onlyTerminals = "only a real terminal counts as one"

    static let compatibility = Group(
        title: "Compatibility with zstd",
        flags: [
            Flag(
                "format", .words({ ["zstd", "gzip", "xz", "lzma", "lz4"] }),
                "zstd is written; with -d the others are read, whatever this says."
            ) { $0.format = try $1.word() }
            .zstd("same", spelled: "`--format=zstd`")
            .zstd(
                "with `-d`, `-t`, `-l`", "are read; writing them is refused by name",
                spelled: "`--format=gzip`, `--format=xz`, `--format=lzma`, `--format=lz4`"),
            Flag("single-thread", "The same as -T1.") { ($0.threads, $0.isSingleThread) = (1, true) }
                .zstd("`-T1`"),
            Flag("last-level", .number("N", "a level", "19"), "With -b: the last level, as in -b1 -e5.") {
                $0.lastLevel = try $1.number()
            }
            .letter("e").zstd("same", spelled: "`-e#`"),
            Flag("seconds", .number("N", "a number of seconds", "3"), "With -b: seconds for each level (default 3).") {
                $0.settings.measuring.time = .seconds(min(try $1.number(), 86400))
            }
            .letter("i").zstd("same", spelled: "`-i#`"),
            Flag("separately", "With -b: measure each file by itself.") { $0.settings.measuring.isSeparate = true }
                .letter("S").zstd("same", spelled: "`-S`"),
            Flag(
                "compressibility", .number("PERCENT", "a number of percent", "50"),
                "With -b and no file: how much of the synthetic data repeats (default 50)."
            ) { request, value in
                let percent = try value.number()
                guard percent <= 100 else { throw value.mistake("a percentage, 0 to 100") }
                request.settings.measuring.compressibility = Double(percent) / 100
            }
            .letter("P").zstd("same", spelled: "`-P#`"),
            Flag("only-decompression", "What -d is after -b.") { $0.settings.measuring.onlyDecompresses = true }
                .hidden(),
            Flag("size-hint", .size(), "Accepted and ignored.") { _, value in
                _ = try value.size()
            }
            .zstd(
                "accepted, checked, not needed", "the parameters are those of what comes",
                spelled: "`--size-hint=#`"),
            Flag(ignored: "asyncio").negatable()
                .zstd("accepted and ignored", "reading and writing never wait for each other"),
            Flag(ignored: "mmap-dict").negatable()
                .zstd("accepted and ignored", "files are not mapped: one that shrinks would end the process"),
            Flag(ignored: "no-name").letter("n")
                .zstd("accepted and ignored", "names are never stored"),
            Flag(ignored: "auto-threads", .text("physical|logical", "physical or logical", "logical"))
                .zstd(
                    "accepted and ignored", "all CPUs that the process may use",
                    spelled: "`--auto-threads={physical\\|logical}`"),
            Flag("priority", .words({ ["rt"] }), "Accepted and ignored.") { _, value in
                _ = try value.word()
            }
            .zstd("accepted and ignored", spelled: "`--priority=rt`"),
            unavailable("trace-file-stat", "--trace=FILE shows every stage of a run"),
            unavailable("fake-stdin-is-console", onlyTerminals),
            unavailable("fake-stdout-is-console", onlyTerminals),
            unavailable("fake-stderr-is-console", onlyTerminals),
        ])

    /// What zstd has for its own tests, where it would do something else.
    private static func unavailable(_ name: String, _ reason: String) -> Flag {
        Flag(name, "Ignored with a warning: it is for zstd's own tests.") { $0.warn("--\(name) is ignored: \(reason)") }
            .zstd("ignored with a warning", "it is for zstd's own tests")
    }
}
