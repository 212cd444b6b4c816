internal import CKernel
internal import Glibc

/// The CPUs that this process may use: its affinity mask, limited by the CPU quota of its control groups.
///
/// Dispatch and `sysconf` ignore the quota, and the kernel throttles a process with more workers than it pays for.
package func availableProcessors() -> Int {
    let affinity = Int(sluice_affinity_count())
    let processors = affinity > 0 ? affinity : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    return min(processors, ControlGroups(readText: readText).processors ?? processors)
}

/// The same, counted once, when it is needed: that takes a tenth as long as a small file, which needs one thread.
package let countedProcessors = availableProcessors()

extension ControlGroups {
    /// The smallest CPU quota of a group and those around it (`cpu.max` of version 2, `cpu.cfs_quota_us` of version 1).
    /// It is rounded up; nil without a quota.
    var processors: Int? {
        folders(of: "cpu").compactMap { folder -> Int? in
            let files = folder.isVersion2 ? ["/cpu.max"] : ["/cpu.cfs_quota_us", "/cpu.cfs_period_us"]
            let numbers = files.flatMap { readText(folder.path + $0).split { $0.isWhitespace } }
            guard numbers.count == 2, let quota = Int(numbers[0]), let period = Int(numbers[1]), quota > 0, period > 0
            else { return nil }
            return max(1, (quota - 1) / period + 1)
        }.min()
    }
}
