internal import Glibc

/// The memory that this process may still take before the system swaps, or kills it.
package struct AvailableMemory: Equatable, Sendable {
    /// Bytes.
    package let bytes: UInt64
    /// Whether a control group sets the limit, beyond which the kernel kills; a machine still has its swap space.
    package let isLimit: Bool

    /// The minimum of this machine and of the process's control groups (`memory.max` of version 2,
    /// `memory.limit_in_bytes` of version 1); nil if neither tells.
    ///
    /// - Parameter readText: the text of a file, empty if it can't be read.
    package static func now(readText: @escaping (String) -> String = ByteStreams.readText) -> AvailableMemory? {
        let machine = numbers(in: readText("/proc/meminfo"))["MemAvailable:"].map { min($0, UInt64.max >> 10) << 10 }
        let groups = ControlGroups(readText: readText).folders(of: "memory")
        let least = groups.compactMap { left(in: $0, readText: readText) }.min()
        guard let bytes = [machine, least].compactMap(\.self).min() else { return nil }
        return AvailableMemory(bytes: bytes, isLimit: bytes == least)
    }

    /// Bytes that a group may still take; nil if it has no limit.
    private static func left(in group: ControlGroups.Folder, readText: (String) -> String) -> UInt64? {
        func number(_ name: String) -> UInt64? { UInt64(readText(group.path + "/" + name).prefix { !$0.isWhitespace }) }
        let limit = number(group.isVersion2 ? "memory.max" : "memory.limit_in_bytes")
        // Version 1 has a huge number for no limit.
        guard let limit, limit < 1 << 60 else { return nil }
        // The page cache is freed on demand. Version 1 counts the inner groups separately.
        let prefix = group.isVersion2 ? "" : "total_"
        let statistics = numbers(in: readText(group.path + "/memory.stat"))
        var held = number(group.isVersion2 ? "memory.current" : "memory.usage_in_bytes") ?? 0
        for name in ["inactive_file", "active_file"] {
            held -= min(held, statistics[Substring(prefix + name)] ?? 0)
        }
        return limit - min(limit, held)
    }

    /// The first number of each line, by the word before it.
    private static func numbers(in text: String) -> [Substring: UInt64] {
        var numbers: [Substring: UInt64] = [:]
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2).map { Substring($0) }
            if words.count > 1, let number = UInt64(words[1]) { numbers[words[0]] = number }
        }
        return numbers
    }
}
