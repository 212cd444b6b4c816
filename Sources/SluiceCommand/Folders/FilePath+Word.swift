import SystemPackage

extension FilePath {
    /// A name as it was typed, or stands in a list.
    ///
    /// A slash at the end says that it is a folder. `FilePath` drops it: a dot behind it keeps it, and says the same.
    init(word bytes: [UInt8]) {
        let slash = UInt8(ascii: "/")
        let isFolder = bytes.last == slash && bytes.contains { $0 != slash }
        let word = isFolder ? bytes + [UInt8(ascii: ".")] : bytes
        self = (word.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
            $0.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
        }
    }
}
