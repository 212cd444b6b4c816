/// The folders of the control groups that a process is in: its own, and those around it.
struct ControlGroups {
    struct Folder: Equatable {
        let path: String
        /// Whether all controllers are in one hierarchy.
        let isVersion2: Bool
    }

    /// Replaces `/proc/self/cgroup` where that is missing: a container sees its own group as the root.
    private static let rootGroups = "0::/\n1:cpu:/\n2:memory:/\n"

    /// The text of `/proc/self/cgroup`, or its replacement.
    static func own(readText: (String) -> String) -> String {
        let groups = readText("/proc/self/cgroup")
        return groups.isEmpty ? rootGroups : groups
    }

    /// The folders of all groups in a controller of version 1, such as `cpu`, and in the one hierarchy of version 2.
    ///
    /// - Parameter groups: the text of `/proc/self/cgroup`.
    static func folders(of controller: String, in groups: String) -> [Folder] {
        groups.split(separator: "\n").flatMap { line -> [Folder] in
            // hierarchy:controllers:path
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return [] }
            let isVersion2 = fields[1].isEmpty
            guard isVersion2 || fields[1].split(separator: ",").contains(Substring(controller)) else { return [] }
            let root = isVersion2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/" + controller
            return ancestors(of: String(fields[2])).map { Folder(path: root + $0, isVersion2: isVersion2) }
        }
    }

    /// The path and all its parents; a container may see its own group as the root.
    private static func ancestors(of path: String) -> [String] {
        var paths = [""]
        for component in path.split(separator: "/") where component != ".." {
            paths.append(paths[paths.count - 1] + "/" + component)
        }
        return paths
    }
}
