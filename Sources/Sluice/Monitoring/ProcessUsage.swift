internal import ByteStreams
internal import Glibc

/// What the process used since it began (`getrusage`).
package struct ProcessUsage: Encodable, Equatable, Sendable {
    /// Seconds of processors, in the program itself (`ru_utime`).
    package var userSeconds: Double
    /// Seconds of processors, in the kernel (`ru_stime`).
    package var systemSeconds: Double
    /// The most memory that was resident, in bytes.
    package var peakMemoryBytes: UInt64
    /// How often a thread had to wait (`ru_nvcsw`).
    package var voluntaryContextSwitches: Int
    /// How often a thread was made to wait (`ru_nivcsw`).
    package var involuntaryContextSwitches: Int
    /// Pages that were made, or found in memory (`ru_minflt`).
    package var minorPageFaults: Int
    /// Pages that came from a disk (`ru_majflt`).
    package var majorPageFaults: Int

    /// Looks at it now.
    package init() {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        userSeconds = Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
        systemSeconds = Double(usage.ru_stime.tv_sec) + Double(usage.ru_stime.tv_usec) / 1e6
        // Of both Linux counts in KiB; what the resources say begins with the memory of whoever started the process.
        peakMemoryBytes = (Self.ownPeak() ?? UInt64(max(0, usage.ru_maxrss))) << 10
        voluntaryContextSwitches = usage.ru_nvcsw
        involuntaryContextSwitches = usage.ru_nivcsw
        minorPageFaults = usage.ru_minflt
        majorPageFaults = usage.ru_majflt
    }

    /// In KiB; nil without /proc.
    private static func ownPeak() -> UInt64? { processStatus("VmHWM").flatMap { UInt64($0) } }
}
