internal import Glibc
internal import SystemPackage

/// The first 64 KiB of a file of the kernel's; empty if it can't be read.
package func readText(_ path: String) -> String {
    guard let file = try? FileDescriptor(opening: FilePath(path), O_RDONLY) else { return "" }
    defer { try? file.close() }
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { memory, count in
        count = (try? systemCall { read(file.rawValue, memory.baseAddress, memory.count) }) ?? 0
    }
    return String(decoding: bytes, as: UTF8.self)
}

package let processorsFile = "/proc/cpuinfo"

/// The first word of a line in the status of this process; nil without /proc.
package func processStatus(_ name: String) -> Substring? {
    let line = readText("/proc/self/status").split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line?.dropFirst(name.count + 1).split { $0.isWhitespace }.first
}
