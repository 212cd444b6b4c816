import Glibc
import Sluice
import SystemPackage

/// A folder whose files are done. It is open, so that its files are those that were listed: whoever may rename it, or
/// put a link in its place, leads nobody elsewhere.
final class Folder: Sendable {
    /// The name in messages, to which the names of its files are added.
    let path: FilePath
    let descriptor: FileDescriptor
    let identity: FileIdentity

    /// - Parameter isLink: whether the operand is a symbolic link that is to be followed.
    /// - Throws: why it can't be read.
    init(_ operand: Operand, isLink: Bool) throws(Errno) {
        descriptor = try operand.open(isLink: isLink, O_DIRECTORY)
        do throws(Errno) { identity = try FileIdentity(descriptor) } catch {
            try? descriptor.close()
            throw error
        }
        // A slash at its end is a dot here, which would stand in the names of all its files.
        let isDot = operand.path.components.count > 1 && operand.path.lastComponent?.kind == .currentDirectory
        path = isDot ? operand.path.removingLastComponent() : operand.path
    }

    deinit { try? descriptor.close() }
}
