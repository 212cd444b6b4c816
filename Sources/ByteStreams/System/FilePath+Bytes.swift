internal import Glibc
package import SystemPackage

extension FilePath {
    /// The path as the kernel has it: `string` is another one where the bytes are not UTF-8.
    package var bytes: [UInt8] {
        withPlatformString { start in
            UnsafeBufferPointer(start: start, count: strlen(start)).map { UInt8(bitPattern: $0) }
        }
    }
}

extension FilePath.Component {
    /// The name as the file system has it: `string` is another one where the bytes are not UTF-8.
    package var bytes: [UInt8] {
        withPlatformString { start in
            UnsafeBufferPointer(start: start, count: strlen(start)).map { UInt8(bitPattern: $0) }
        }
    }

    /// The name that has these bytes; nil for what is none, such as one with a slash.
    package init?(bytes: [UInt8]) {
        let name = bytes.map { CChar(bitPattern: $0) } + [0]
        guard let component = name.withUnsafeBufferPointer({ $0.baseAddress.flatMap { Self(platformString: $0) } })
        else { return nil }
        self = component
    }

    /// The name with text before and behind it.
    package func between(_ prefix: String, and suffix: String) -> FilePath.Component? {
        FilePath.Component(bytes: Array(prefix.utf8) + bytes + Array(suffix.utf8))
    }
}
