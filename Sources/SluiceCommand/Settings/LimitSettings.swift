import Sluice

/// Limits of resources.
struct LimitSettings: Sendable {
    /// As it was given; 0 for one thread on each processor that the process may use.
    var chosenThreads = 0
    /// As for zstd, a larger number means this one.
    static let mostThreads = 1024
    /// libzstd takes 256 for a single frame (`ZSTDMT_NBWORKERS_MAX`).
    var threads: Int { chosenThreads > 0 ? min(chosenThreads, Self.mostThreads) : countedProcessors }
    /// Bytes of memory for the process; nil for what is available.
    var memory: UInt64?
    var rate: RateSetting?
    /// Bytes between reading and writing, beside what the workers hold.
    var buffer: UInt64 = 0
    /// How full the buffer is when writing starts, 0 to 1.
    var fillBeforeWriting = 0.0
    /// Whether the process is confined to the files of the run.
    var isSandboxed = true
}
