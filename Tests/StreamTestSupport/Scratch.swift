internal import ByteStreams
internal import Glibc
package import SystemPackage

/// Where temporary files go: where TMPDIR says, as in scripts.
package let temporaryFolder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"

/// A folder of a test's own, which goes with all that is in it.
package final class Scratch: Sendable {
    package let path: FilePath

    package init() throws {
        var name = Array("\(temporaryFolder)/sluice.XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw Errno(rawValue: errno) }
        path = FilePath(platformString: name)
    }

    deinit {
        for name in names { unlink(path.appending(name).string) }
        rmdir(path.string)
    }

    /// What is in it, hidden files too.
    package var names: [String] {
        guard let folder = opendir(path.string) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }

    /// Writes a file.
    @discardableResult package func write(_ content: [UInt8], to name: String) throws -> FilePath {
        let path = path.appending(name)
        let file = try FileDescriptor.open(
            path, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
        try file.closeAfter { _ = try file.writeAll(content) }
        return path
    }

    /// What a file has.
    package func content(_ name: String) throws -> [UInt8] {
        let file = try FileDescriptor.open(path.appending(name), .readOnly)
        defer { try? file.close() }
        var content = [UInt8](repeating: 0, count: try Int(file.seek(offset: 0, from: .end)))
        _ = try file.fill(&content, from: 0)
        return content
    }
}
