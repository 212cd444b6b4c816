internal import CKernel
internal import Glibc
package import SystemPackage

/// What became of a file that was to be removed, if it is the one that is meant.
package enum Removal: Equatable, Sendable {
    case removed
    /// It is another one, and stays.
    case kept
    /// It is another one, and has this name now, for its own was taken meanwhile.
    case keptAs(FilePath)

    /// Removes a file if it is the intended one. The file is first renamed to a name of our own and then examined, so a
    /// file that another user puts in its place is never removed.
    ///
    /// - Parameters:
    ///   - folder: where it is; nil for where the path leads.
    ///   - isMeant: asked about the file, or what a link leads to.
    /// - Throws: why it stays, under its name if that can be.
    package static func of(
        _ path: FilePath, in folder: FileDescriptor?, where isMeant: (FileIdentity) -> Bool
    ) throws(Errno) -> Removal {
        let opened = folder == nil ? try OpenFolder.of(path) : nil
        defer { withExtendedLifetime(opened) {} }
        guard let start = folder ?? opened?.descriptor, let name = path.lastComponent,
            let own = try? TemporaryFile.name(beside: path), let ownName = own.lastComponent
        else { throw .ioError }
        _ = try TemporaryFiles.create(own, fate: .restored(name, start)) {
            name.withPlatformString { name in
                ownName.withPlatformString { renameat(start.rawValue, name, start.rawValue, $0) }
            }
        }
        do throws(Errno) {
            let file = try FileIdentity(
                at: FilePath(root: nil, [ownName]), in: start, followingLinks: true, isFresh: true)
            if isMeant(file) {
                try TemporaryFiles.finish(own) { () throws(Errno) in
                    _ = try systemCall { ownName.withPlatformString { unlinkat(start.rawValue, $0, 0) } }
                }
                return .removed
            }
        } catch {
            _ = TemporaryFiles.remove(own)
            throw error
        }
        return TemporaryFiles.remove(own) ? .kept : .keptAs(own)
    }
}
