import Glibc
import SystemPackage

/// Where temporary files go: where TMPDIR says, as in scripts.
let temporaryFolder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"

/// A folder that goes with what is in it.
final class Folder: Sendable {
    let path: FilePath

    init() throws {
        var template = Array("\(temporaryFolder)/sluice.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
        path = FilePath(platformString: template)
    }

    init(in other: Folder, _ name: String) throws {
        path = other.path.appending(name)
        guard path.withPlatformString({ mkdir($0, 0o700) }) == 0 else { throw Errno(rawValue: errno) }
    }

    deinit {
        for name in entries(where: { $0 != UInt8(DT_DIR) }) { unlink(path.appending(name).string) }
        _ = path.withPlatformString { rmdir($0) }
    }

    /// The names of the files in it, sorted.
    var names: [String] { entries { $0 == UInt8(DT_REG) } }

    private func entries(where isWanted: (UInt8) -> Bool) -> [String] {
        guard let folder = path.withPlatformString({ opendir($0) }) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            guard isWanted(entry.pointee.d_type) else { continue }
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names.sorted()
    }

    /// Writes a file, and returns its path.
    @discardableResult
    func write(_ words: String, to name: String) throws -> FilePath { try write(Array(words.utf8), to: name) }

    /// Writes a file, and returns its path.
    @discardableResult
    func write(_ content: [UInt8], to name: String) throws -> FilePath {
        let file = try FileDescriptor.open(
            path.appending(name), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
        try file.closeAfter { _ = try file.writeAll(content) }
        return path.appending(name)
    }
}
