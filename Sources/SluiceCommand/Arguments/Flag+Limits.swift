import Sluice
import SystemPackage

/// What a run may use.
extension Flag {
    static let limits = Group(
        title: "Limits",
        flags: [
            Flag(
                "threads", .number("N", "a number of threads", "4"),
                "Number of worker threads (default 0: one per available CPU).",
                manual: """
                    The output is the same for any number. Without the option it is that of the variable \
                    ZSTD_NBTHREADS.
                    """
            ) { request, value in
                request.threads = try value.number()
                request.isSingleThread = false
                request.forget("single-thread")
            }
            .letter("T").common("worker threads (default: one per available CPU)").zstd("same; all CPUs by default"),
            Flag(
                "memory", .size("SIZE", "512M"),
                "Memory limit; threads, slots and finally frame size are reduced to fit (default: the memory available).",
                manual: """
                    With -d and -t it is also the largest window to accept (default: 128 MiB, or a quarter of the available
                    memory).
                    """
            ) { request, value in
                let size = try value.size()
                request.settings.limits.memory = size > 0 ? size : nil
            }
            .letter("M").aliases("memlimit", "memlimit-decompress").common(
                "memory limit (default: the memory available)"
            )
            .zstd(
                "same; without a unit, bytes",
                "the whole process keeps to it, also to compress, and what can't is an error; numbers may end in G or T, and have more than 32 bits"
            ),
            Flag(
                "limit-rate", .size("RATE", "10M"), "Read at most RATE bytes of input per second, such as 10M.",
                manual: """
                    With -d these are compressed bytes. @FILE takes the rate from a file, again whenever that changes.
                    """
            ) { request, value in
                if value.text.first == "@" {
                    request.settings.limits.rate = .file(FilePath(String(value.text.dropFirst())))
                } else {
                    guard let rate = RateSetting.parse(value.text) else {
                        throw value.mistake("bytes per second, such as 10M, more than 0")
                    }
                    request.settings.limits.rate = .fixed(rate)
                }
            },
            Flag("buffer", .size("SIZE", "1G"), "Buffer up to SIZE of input, to absorb bursts.") { request, value in
                let size = try value.size()
                guard size <= 1 << 40 else { throw value.mistake("up to 1 TiB") }
                request.settings.limits.buffer = size
            },
            Flag(
                "buffer-start", .text("PERCENT", "a percentage", "80"),
                "Start writing when the buffer is PERCENT full, and again whenever it runs empty."
            ) {
                $0.settings.limits.fillBeforeWriting =
                    try $1.number(in: 0...100, "a percentage, 0 to 100") / 100
            },
            Flag(
                switch: "sandbox",
                "Access only the files and directories of this run, where the kernel can enforce it (default)."
            ) { $0.settings.limits.isSandboxed = $1 },
        ])
}
