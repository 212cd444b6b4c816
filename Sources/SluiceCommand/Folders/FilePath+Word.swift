import SystemPackage

extension FilePath {
    /// A path from a command line or list.
    ///
    /// A trailing slash, which marks a directory, is kept as `/.`, because `FilePath` would drop it.
    init(word bytes: [UInt8]) {
        let slash = UInt8(ascii: "/")
        let isFolder = bytes.last == slash && bytes.contains { $0 != slash }
        let word = isFolder ? bytes + [UInt8(ascii: ".")] : bytes
        self = (word.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
            $0.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
        }
    }
}
