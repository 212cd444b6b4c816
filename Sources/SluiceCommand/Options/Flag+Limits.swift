import SystemPackage

/// Options that limit what a run uses.
extension Flag {
    static let limits: [Flag] = [
        Flag(.threads, .number("N", "a number of threads", "4")) { $0.limits.chosenThreads = $1 }
            .letter("T").overrides(.singleThread)
            .help("Number of worker threads (default 0: one per available CPU).")
            .manual("The output is the same for any number. The environment variable ZSTD_NBTHREADS sets the default.")
            .common("worker threads (default: one per available CPU)")
            .zstd("same; all CPUs by default"),
        Flag(.memory, .size("SIZE", "512M")) { $0.limits.memory = $1 > 0 ? $1 : nil }
            .letter("M").aliases("memlimit", "memlimit-decompress")
            .help(
                "Memory limit; buffers, threads and finally the frame size are reduced to fit (default: the memory available)."
            )
            .manual(
                """
                With -d and -t it is also the largest window to accept (default: 128 MiB, or a quarter of the available \
                memory).
                """
            )
            .common("memory limit (default: the memory available)")
            .zstd(
                "same; without a unit, bytes",
                "limits the whole process, also when compressing, and fails if that is not possible; numbers may end in G or T, and may exceed 32 bits"
            ),
        Flag(.limitRate, .typed("RATE", "a number of bytes", "10M", .size)) {
            $0.limits.rate = try $1.rate()
        }
        .help("Read at most RATE bytes of input per second, such as 10M.")
        .manual("With -d these are compressed bytes. @FILE takes the rate from a file, and follows its changes."),
        Flag(.buffer, .size("SIZE", "1G").within(0...1 << 40, "up to 1 TiB")) { $0.limits.buffer = $1 }
            .help("Buffer up to SIZE of input, to absorb bursts."),
        Flag(.bufferStart, .number("PERCENT", "a percentage, 0 to 100", "80", in: 0...100)) {
            $0.limits.fillBeforeWriting = $1 / 100
        }
        .help("Start writing when the buffer is PERCENT full, and again whenever it runs empty."),
        Flag(switch: .sandbox) { $0.limits.isSandboxed = $1 }
            .help("Access only the files and directories of this run, where the kernel can enforce it (default)."),
    ]
}

extension FlagValue {
    fileprivate func rate() throws(Complaint) -> RateSetting {
        if text.first == "@" { return .file(FilePath(String(text.dropFirst()))) }
        guard let rate = RateSetting.parse(text) else { throw mistake("bytes per second, such as 10M, more than 0") }
        return .fixed(rate)
    }
}
