internal import CKernel
internal import Glibc

/// The CPUs that this process may use: its affinity mask, but no more than its cgroup's quota pays for.
///
/// Dispatch and sysconf know nothing of the quota (cgroup v2 `cpu.max`, v1 `cpu.cfs_quota_us`), and a worker more than
/// it pays for is throttled.
public func availableProcessors() -> Int {
    let affinity = Int(sluice_affinity_count())
    let processors = affinity > 0 ? affinity : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let quota = CPUQuota.of(ControlGroups.own(readText: readText), readText: readText)
    return min(processors, quota ?? processors)
}
