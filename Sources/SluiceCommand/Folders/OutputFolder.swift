import Sluice

/// A directory for outputs that otherwise would be beside their sources.
struct OutputFolder: Sendable {
    let path: FilePath
    /// Whether it mirrors the directories of the sources.
    let isMirror: Bool

    /// - Parameter path: a trailing `/.`, from a slash, is removed: the directory may not exist yet.
    init(path: FilePath, isMirror: Bool) {
        var path = path
        while path.components.count > 1, path.lastComponent?.kind == .currentDirectory { path.removeLastComponent() }
        (self.path, self.isMirror) = (path, isMirror)
    }

    /// The path of an output that would have this name beside its source.
    func place(of name: FilePath) -> FilePath {
        guard let file = name.lastComponent else { return path }
        guard isMirror else { return path.appending(file) }
        return path.appending(name.components.filter { $0.kind == .regular })
    }
}
