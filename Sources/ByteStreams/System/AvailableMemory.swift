internal import CKernel
internal import Glibc
internal import SystemPackage

/// The memory that this process can still use before the system swaps or kills it.
package struct AvailableMemory: Equatable, Sendable {
    /// Bytes.
    package let bytes: UInt64
    /// Whether the limit is that of a control group, which the kernel enforces by killing. A machine may still have
    /// swap space.
    package let isLimit: Bool

    /// The minimum of what this machine and the process's control groups allow (`memory.max` of version 2,
    /// `memory.limit_in_bytes` of version 1); nil if none of them is known.
    ///
    /// - Parameter readText: returns the text of a file, empty if it can't be read.
    package static func now(readText: @escaping (String) -> String = ByteStreams.readText) -> AvailableMemory? {
        let machine = numbers(in: readText("/proc/meminfo"))["MemAvailable:"].map { min($0, UInt64.max >> 10) << 10 }
        let groups = ControlGroups(readText: readText).folders(of: "memory")
        let least = groups.compactMap { left(in: $0, readText: readText) }.min()
        guard let bytes = [machine, least].compactMap(\.self).min() else { return nil }
        return AvailableMemory(bytes: bytes, isLimit: bytes == least)
    }

    /// The bytes that a group can still use; nil if it has no limit.
    private static func left(in group: ControlGroups.Folder, readText: (String) -> String) -> UInt64? {
        func number(_ name: String) -> UInt64? { UInt64(readText(group.path + "/" + name).prefix { !$0.isWhitespace }) }
        let limit = number(group.isVersion2 ? "memory.max" : "memory.limit_in_bytes")
        // Version 1 reports a huge number for no limit.
        guard let limit, limit < 1 << 60 else { return nil }
        // The page cache does not count: it is freed on demand. Version 1 counts the inner groups separately.
        let prefix = group.isVersion2 ? "" : "total_"
        let statistics = numbers(in: readText(group.path + "/memory.stat"))
        var held = number(group.isVersion2 ? "memory.current" : "memory.usage_in_bytes") ?? 0
        for name in ["inactive_file", "active_file"] {
            held -= min(held, statistics[Substring(prefix + name)] ?? 0)
        }
        return limit - min(limit, held)
    }

    /// The first number of each line, keyed by the word before it.
    private static func numbers(in text: String) -> [Substring: UInt64] {
        var numbers: [Substring: UInt64] = [:]
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2).map { Substring($0) }
            if words.count > 1, let number = UInt64(words[1]) { numbers[words[0]] = number }
        }
        return numbers
    }
}

/// The CPUs that this process may use: its affinity mask, limited by the CPU quota of its control groups.
///
/// Dispatch and `sysconf` ignore the quota, and the kernel throttles a process that uses more CPUs than that.
package func availableProcessors() -> Int {
    let affinity = Int(sluice_affinity_count())
    let processors = affinity > 0 ? affinity : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    return min(processors, ControlGroups(readText: readText).processors ?? processors)
}

/// The processor time that this process may use, in seconds per second: as `countedProcessors`, but the quota is not
/// rounded.
package let countedProcessorTime = min(
    Double(availableProcessors()), ControlGroups(readText: readText).quota ?? .infinity)

/// The same, counted once, on first use: counting takes a tenth as long as a small file, which needs one thread.
package let countedProcessors = availableProcessors()

extension ControlGroups {
    /// The smallest CPU quota of the process's groups, rounded up; nil without a quota.
    var processors: Int? { quota.map { max(1, Int(clamping: $0.rounded(.up))) } }

    /// The smallest CPU quota of the process's groups (`cpu.max` of version 2, `cpu.cfs_quota_us` of version 1), in
    /// processors; nil without a quota.
    var quota: Double? {
        folders(of: "cpu").compactMap { folder -> Double? in
            let files = folder.isVersion2 ? ["/cpu.max"] : ["/cpu.cfs_quota_us", "/cpu.cfs_period_us"]
            let numbers = files.flatMap { readText(folder.path + $0).split { $0.isWhitespace } }
            guard numbers.count == 2, let quota = Int(numbers[0]), let period = Int(numbers[1]), quota > 0, period > 0
            else { return nil }
            return Double(quota) / Double(period)
        }.min()
    }
}

/// The control groups of this process: its own group, and all groups around it.
struct ControlGroups {
    struct Folder: Equatable {
        let path: String
        /// Whether all controllers are in one hierarchy.
        let isVersion2: Bool
    }

    /// Replaces `/proc/self/cgroup` where that is missing. In a container, the process's own group appears as the root.
    private static let rootGroups = "0::/\n1:cpu:/\n2:memory:/\n"

    let readText: (String) -> String
    /// The text of `/proc/self/cgroup`, or its replacement.
    private let groups: String

    /// - Parameter readText: returns the text of a file, empty if it can't be read.
    init(readText: @escaping (String) -> String) {
        let groups = readText("/proc/self/cgroup")
        (self.readText, self.groups) = (readText, groups.isEmpty ? Self.rootGroups : groups)
    }

    /// The folders of all groups for a controller of version 1, such as `cpu`, and of the single hierarchy of version
    /// 2.
    func folders(of controller: String) -> [Folder] {
        var folders: [Folder] = []
        // Bytes, not characters: the command reads this at each start.
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

    /// The path and all its parents. In a container, the process's own group may appear as the root.
    private func ancestors(of path: Substring.UTF8View) -> [String] {
        var paths = [""]
        for component in path.split(separator: UInt8(ascii: "/")) where !component.elementsEqual("..".utf8) {
            paths.append(paths[paths.count - 1] + "/" + String(Substring(component)))
        }
        return paths
    }
}

/// The first 64 KiB of a file in /proc or /sys; empty if it can't be read.
package func readText(_ path: String) -> String {
    guard let file = try? FileDescriptor(opening: FilePath(path), O_RDONLY) else { return "" }
    defer { try? file.close() }
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { memory, count in
        count = (try? systemCall { read(file.rawValue, memory.baseAddress, memory.count) }) ?? 0
    }
    return String(decoding: bytes, as: UTF8.self)
}

package let processorsFile = "/proc/cpuinfo"

/// The first word of a line in `/proc/self/status`; nil without /proc.
package func processStatus(_ name: String) -> Substring? {
    let line = readText("/proc/self/status").split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line?.dropFirst(name.count + 1).split { $0.isWhitespace }.first
}
