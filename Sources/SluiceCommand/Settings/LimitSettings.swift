import Sluice

/// Limits of resources.
struct LimitSettings: Sendable {
    /// Nil for one thread on each processor that the process may use.
    var chosenThreads: Int?
    var threads: Int { chosenThreads ?? countedProcessors }
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
