internal import Glibc
package import SystemPackage

extension FilePath {
    /// The bytes that the kernel knows the path by; `string` replaces those that are not UTF-8.
    package var bytes: [UInt8] { withPlatformString(bytesOfString) }

    /// The path without its last component, as `removingLastComponent()` gives it: that one goes through a generic
    /// collection, whose types take longer to be made than the rest of a small run takes to look up its files.
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

    /// Whether the path is one of those under which the kernel and the system show devices and processes.
    package var isInDevOrProc: Bool { starts(with: "/dev") || starts(with: "/proc") }

    /// Whether the path stands for a descriptor that a process has open, as /dev/stdout and /proc/7/fd/1 do.
    package var isOpenDescriptor: Bool {
        guard isAbsolute else { return false }
        let parent = parent
        return ["/dev/stdin", "/dev/stdout", "/dev/stderr"].contains(self) || parent == "/dev/fd"
            || parent.starts(with: "/proc") && parent.lastComponent == "fd"
    }

    /// Whether the path is a folder of this process's open descriptors.
    package var listsOwnDescriptors: Bool {
        ["/dev/fd", "/proc/self/fd", FilePath("/proc/\(getpid())/fd")].contains(self)
    }
}

extension FilePath.Component {
    /// The bytes that the file system knows the name by; `string` replaces those that are not UTF-8.
    package var bytes: [UInt8] { withPlatformString(bytesOfString) }

    /// The name that has these bytes; nil if no name can, as with a slash.
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
