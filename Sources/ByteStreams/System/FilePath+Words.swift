package import SystemPackage

extension FilePath {
    /// The path for a message: control characters are escaped, bytes that are not UTF-8 replaced, and the dot is left
    /// out that keeps a slash at the end.
    package var printable: String {
        let endsInDot = lastComponent?.kind == .currentDirectory && components.count > 1
        return (endsInDot ? String(string.dropLast()) : string).printable
    }

    /// The folder that a file of this name is in.
    package var folder: FilePath {
        let parent = removingLastComponent()
        return parent.isEmpty ? FilePath(".") : parent
    }
}
