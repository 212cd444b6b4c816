internal import Glibc

/// The first 64 KiB of a file of the kernel's, empty if it can't be read.
package func readText(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { memory, count in
        count = max(0, read(descriptor, memory.baseAddress, memory.count))
    }
    return String(decoding: bytes, as: UTF8.self)
}
