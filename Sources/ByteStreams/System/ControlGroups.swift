/// The folders of the control groups that a process is in: its own, and those around it.
struct ControlGroups {
    struct Folder: Equatable {
        let path: String
        /// Whether all controllers are in one hierarchy.
        let isVersion2: Bool
    }

    /// Replaces `/proc/self/cgroup` where that is missing: a container sees its own group as the root.
    private static let rootGroups = "0::/\n1:cpu:/\n2:memory:/\n"

    let readText: (String) -> String
    /// The text of `/proc/self/cgroup`, or its replacement.
    private let groups: String

    /// - Parameter readText: the text of a file, empty if it can't be read.
    init(readText: @escaping (String) -> String) {
        let groups = readText("/proc/self/cgroup")
        (self.readText, self.groups) = (readText, groups.isEmpty ? Self.rootGroups : groups)
    }

    /// The folders of all groups in a controller of version 1, such as `cpu`, and in the one hierarchy of version 2.
    func folders(of controller: String) -> [Folder] {
        var folders: [Folder] = []
        // By bytes, not by characters: each start of the command reads this.
        for line in groups.utf8.split(separator: UInt8(ascii: "\n")) {
            // hierarchy:controllers:path
            let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            let isVersion2 = fields[1].isEmpty
            let controllers = fields[1].split(separator: UInt8(ascii: ","))
            guard isVersion2 || controllers.contains(where: { $0.elementsEqual(controller.utf8) }) else { continue }
            let root = isVersion2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/" + controller
            for path in ancestors(of: fields[2]) { folders.append(Folder(path: root + path, isVersion2: isVersion2)) }
        }
        return folders
    }

    /// The path and all its parents; a container may see its own group as the root.
    private func ancestors(of path: Substring.UTF8View) -> [String] {
        var paths = [""]
        for component in path.split(separator: UInt8(ascii: "/")) where !component.elementsEqual("..".utf8) {
            paths.append(paths[paths.count - 1] + "/" + String(Substring(component)))
        }
        return paths
    }
}
