internal import Glibc
package import SystemPackage

extension FilePath {
    /// The path as the kernel sees it, in bytes; `string` replaces those that are not UTF-8.
    package var bytes: [UInt8] { withPlatformString(bytesOfString) }

    /// The path without its last component. `removingLastComponent()` returns the same, but through a generic
    /// collection, whose type metadata takes longer to create than all other path lookups of a small run.
    package var parent: FilePath {
        withPlatformString { path in
            guard let slash = strrchr(path, Int32(UInt8(ascii: "/"))) else { return FilePath() }
            let length = slash == path ? 1 : slash - UnsafeMutablePointer(mutating: path)
            var start = (0..<length).map { path[$0] }
            start.append(0)
            return FilePath(platformString: start)
        }
    }

    package var folder: FilePath {
        let parent = parent
        return parent.isEmpty ? FilePath(".") : parent
    }

    /// Whether the path denotes an open descriptor of a process, such as /dev/stdout or /proc/7/fd/1: the kernel alone
    /// makes the links of these names.
    package var isOpenDescriptor: Bool {
        let names = string.split(separator: "/")
        guard isAbsolute, names.first == "dev" || names.first == "proc", let last = names.last else { return false }
        func isNumber(_ name: Substring) -> Bool {
            name.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        }
        func isProcess(_ name: Substring) -> Bool { ["self", "thread-self"].contains(name) || isNumber(name) }
        return switch (names[0], names.count) {
        case ("dev", 2): ["stdin", "stdout", "stderr"].contains(last)
        case ("dev", 3): names[1] == "fd" && isNumber(last)
        case ("proc", 4): isProcess(names[1]) && names[2] == "fd" && isNumber(last)
        case ("proc", 6):
            isProcess(names[1]) && names[2] == "task" && isNumber(names[3]) && names[4] == "fd" && isNumber(last)
        default: false
        }
    }

    /// Whether the path is a folder of this process's open descriptors.
    package var listsOwnDescriptors: Bool {
        ["/dev/fd", "/proc/self/fd", FilePath("/proc/\(getpid())/fd")].contains(self)
    }
}

extension FilePath.Component {
    /// The name as the file system sees it, in bytes; `string` replaces those that are not UTF-8.
    package var bytes: [UInt8] { withPlatformString(bytesOfString) }

    /// The name that consists of these bytes; nil if they can't be a name, as with a slash.
    package init?(bytes: [UInt8]) {
        let name = bytes.map { CChar(bitPattern: $0) } + [0]
        guard let component = name.withUnsafeBufferPointer({ $0.baseAddress.flatMap { Self(platformString: $0) } })
        else { return nil }
        self = component
    }

    /// The name with text before and after it.
    package func between(_ prefix: String, and suffix: String) -> FilePath.Component? {
        FilePath.Component(bytes: Array(prefix.utf8) + bytes + Array(suffix.utf8))
    }
}

private func bytesOfString(_ start: UnsafePointer<CChar>) -> [UInt8] {
    UnsafeBufferPointer(start: start, count: strlen(start)).map { UInt8(bitPattern: $0) }
}
