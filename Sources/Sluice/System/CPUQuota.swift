/// The CPU quota of a control group, as a number of processors.
enum CPUQuota {
    /// What stands for `/proc/self/cgroup` where that is missing: a container sees its own group as the root.
    static let rootGroups = "0::/\n1:cpu:/\n"

    /// - Parameters:
    ///   - groups: the text of `/proc/self/cgroup`.
    ///   - readText: the text of a file, empty if it can't be read.
    /// - Returns: the smallest quota of the group and the groups around it, rounded up; nil without one.
    static func of(_ groups: String, readText: (String) -> String) -> Int? {
        var quotas: [Int] = []
        for line in groups.split(separator: "\n") {
            // hierarchy:controllers:path
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            let isVersion2 = fields[1].isEmpty
            guard isVersion2 || fields[1].split(separator: ",").contains("cpu") else { continue }
            let root = isVersion2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu"
            for path in ancestors(of: String(fields[2])) {
                let numbers =
                    isVersion2
                    ? readText(root + path + "/cpu.max").split { $0.isWhitespace }
                    : [readText(root + path + "/cpu.cfs_quota_us"), readText(root + path + "/cpu.cfs_period_us")]
                        .flatMap { $0.split { $0.isWhitespace } }
                guard numbers.count == 2, let quota = Int(numbers[0]), let period = Int(numbers[1]), quota > 0,
                    period > 0
                else { continue }
                quotas.append(max(1, (quota - 1) / period + 1))
            }
        }
        return quotas.min()
    }

    /// The path and every path around it; a container may see its own group as the root.
    private static func ancestors(of path: String) -> [String] {
        var paths = [""]
        for component in path.split(separator: "/") where component != ".." {
            paths.append(paths[paths.count - 1] + "/" + component)
        }
        return paths
    }
}
