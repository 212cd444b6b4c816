internal import Glibc

/// The resources that the process has used since it began (`getrusage`).
package struct ProcessUsage: Equatable, Sendable {
    /// Processor time in the program itself.
    package var userSeconds: Double
    /// Processor time in the kernel.
    package var systemSeconds: Double
    package var peakMemoryBytes: UInt64
    package var voluntaryContextSwitches: Int
    package var involuntaryContextSwitches: Int
    /// Page faults that did not read from a disk.
    package var minorPageFaults: Int
    /// Page faults that read from a disk.
    package var majorPageFaults: Int

    package init() {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        userSeconds = Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
        systemSeconds = Double(usage.ru_stime.tv_sec) + Double(usage.ru_stime.tv_usec) / 1e6
        // Both are in KiB; `ru_maxrss`, for lack of /proc, includes the memory of the process that started this one.
        let ownPeak = processStatus("VmHWM").flatMap { UInt64($0) }
        peakMemoryBytes = (ownPeak ?? UInt64(max(0, usage.ru_maxrss))) << 10
        voluntaryContextSwitches = usage.ru_nvcsw
        involuntaryContextSwitches = usage.ru_nivcsw
        minorPageFaults = usage.ru_minflt
        majorPageFaults = usage.ru_majflt
    }
}
