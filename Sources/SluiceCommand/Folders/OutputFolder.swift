import Sluice
import SystemPackage

/// A folder for what otherwise would be beside its sources.
struct OutputFolder: Equatable, Sendable {
    let path: FilePath
    /// Whether the folders of the sources are made anew in it.
    let isMirror: Bool

    /// - Parameter path: may have a slash at its end, which is a dot here: of a folder that is not there yet, there
    /// is no
    ///   name inside of it that could be made.
    init(path: FilePath, isMirror: Bool) {
        var path = path
        while path.components.count > 1, path.lastComponent?.kind == .currentDirectory { path.removeLastComponent() }
        (self.path, self.isMirror) = (path, isMirror)
    }

    /// Where a file goes that would have this name beside its source.
    func place(of name: FilePath) -> FilePath {
        guard let file = name.lastComponent else { return path }
        guard isMirror else { return path.appending(file) }
        return path.appending(name.components.filter { $0.kind == .regular })
    }
}
