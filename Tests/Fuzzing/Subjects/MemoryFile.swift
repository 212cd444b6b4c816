internal import Glibc
internal import SystemPackage

/// A file in memory, without a name.
struct MemoryFile: ~Copyable {
    let descriptor: FileDescriptor

    init(_ content: some Sequence<UInt8> = []) throws {
        var path = Array("/dev/shm/sluice.XXXXXX".utf8CString)
        descriptor = FileDescriptor(rawValue: mkstemp(&path))
        guard descriptor.rawValue >= 0 else { throw Errno(rawValue: errno) }
        unlink(path)
        _ = try descriptor.writeAll(toAbsoluteOffset: 0, content)
    }

    deinit { try? descriptor.close() }

    /// Bytes.
    var size: Int { get throws { try Int(descriptor.seek(offset: 0, from: .end)) } }

    var content: [UInt8] {
        get throws {
            var content = [UInt8](repeating: 0, count: try size)
            let count = try content.withUnsafeMutableBytes { try descriptor.read(fromAbsoluteOffset: 0, into: $0) }
            return Array(content.prefix(count))
        }
    }
}
