/// The CPU quota of a control group, as a number of processors.
enum CPUQuota {
    /// - Parameters:
    ///   - groups: the text of `/proc/self/cgroup`.
    ///   - readText: the text of a file, empty if it can't be read.
    /// - Returns: the smallest quota of the group and the groups around it, rounded up; nil without one.
    static func of(_ groups: String, readText: (String) -> String) -> Int? {
        ControlGroups.folders(of: "cpu", in: groups).compactMap { folder -> Int? in
            let files = folder.isVersion2 ? ["/cpu.max"] : ["/cpu.cfs_quota_us", "/cpu.cfs_period_us"]
            let numbers = files.flatMap { readText(folder.path + $0).split { $0.isWhitespace } }
            guard numbers.count == 2, let quota = Int(numbers[0]), let period = Int(numbers[1]), quota > 0, period > 0
            else { return nil }
            return max(1, (quota - 1) / period + 1)
        }.min()
    }
}
