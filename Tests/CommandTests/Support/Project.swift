import Glibc
import SystemPackage

/// The files of the project that tests read.
enum Project {
    private static let root = FilePath(#filePath).removingLastComponent().removingLastComponent()
        .removingLastComponent().removingLastComponent()

    static func text(_ name: String) throws -> String { try text(at: root.appending(name)) }

    /// All command scripts, one after another.
    static func scripts() throws -> String {
        let folder = root.appending("Tests/CommandTests/Scripts")
        return try names(in: folder).flatMap { room in
            let room = folder.appending(room)
            return try names(in: room).filter { $0.hasSuffix(".sh") || $0.hasSuffix(".txt") }.map {
                try text(at: room.appending($0))
            }
        }.joined(separator: "\n")
    }

    private static func text(at path: FilePath) throws -> String {
        let file = try FileDescriptor.open(path, .readOnly)
        return try file.closeAfter {
            var text = [UInt8]()
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while case let count = try buffer.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
                text += buffer[..<count]
            }
            return String(decoding: text, as: UTF8.self)
        }
    }

    private static func names(in folder: FilePath) -> [String] {
        guard let directory = folder.withPlatformString({ opendir($0) }) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}

extension String {
    /// As `contains`, which takes minutes in a build for debugging.
    func holds(_ text: String) -> Bool { strstr(self, text) != nil }
}
