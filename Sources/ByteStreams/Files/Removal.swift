package import SystemPackage

/// The outcome of removing a file that may have been replaced by another one in the meantime.
package enum Removal: Equatable, Sendable {
    case removed
    /// Another file has that name, and stays.
    case kept
    /// Another file had that name, and stays under this one, because its own name was taken in the meantime.
    case keptAs(FilePath)

    /// Removes a file if it is the intended one. The file is first renamed to a name of our own and then examined, so
    /// that a file put in its place by another user is never removed.
    ///
    /// - Parameters:
    ///   - folder: the folder of the file; nil for the one that the path leads to.
    ///   - isMeant: whether this is the intended file. It is called with the target if the file is a symbolic link.
    /// - Throws: the reason why the file stays, under its own name if possible.
    package static func of(
        _ path: FilePath, in folder: FileDescriptor?, where isMeant: (FileIdentity) -> Bool
    ) throws(Errno) -> Removal {
        let opened = folder == nil ? try OpenFolder.of(path) : nil
        defer { withExtendedLifetime(opened) {} }
        guard let folder = folder ?? opened?.descriptor, let name = path.lastComponent,
            let own = try? TemporaryFiles.path(beside: path), let ownName = own.lastComponent
        else { throw .ioError }
        try TemporaryFiles.create(own, fate: .restored(name, folder)) { () throws(Errno) in
            try folder.rename(name, to: ownName)
        }
        do throws(Errno) {
            if isMeant(try FileIdentity(at: FilePath(root: nil, [ownName]), in: folder, bypassingCache: true)) {
                if TemporaryFiles.isEnding { throw .canceled }
                try folder.remove(ownName)
                TemporaryFiles.forget(own)
                return .removed
            }
        } catch {
            _ = TemporaryFiles.undo(own)
            throw error
        }
        return TemporaryFiles.undo(own) ? .kept : .keptAs(own)
    }
}
