internal import CKernel
internal import Glibc
public import SystemPackage

/// The descriptor that a run writes, from where it stands.
public struct Sink: Sendable {
    /// What the page cache has to do with the data of a file.
    public enum Caching: Sendable {
        /// The data stays there, and the kernel writes it when it likes.
        case cached
        /// The data stays there, and is written to the disk meanwhile: a sync at the end has little left to do.
        case writtenBack
        /// What is compressed goes to the disk alone, if the file system says that it can do that and the descriptor
        /// stands at the beginning of a page; else `writtenBack`.
        case bypassed
    }

    public let descriptor: FileDescriptor
    public let identity: FileIdentity
    public let caching: Caching
    /// Whether a run that fails has its output thrown away. Otherwise what was written is a prefix of the right data.
    public let isTemporary: Bool

    public var isFile: Bool { identity.kind == .file }

    /// - Parameter isTemporary: whether nobody sees the output of a run that fails.
    /// - Throws: `writing` if the descriptor can't be looked at, or is a directory.
    public init(_ descriptor: FileDescriptor, caching: Caching = .cached, isTemporary: Bool = false) throws(Failure) {
        self.descriptor = descriptor
        self.caching = caching
        self.isTemporary = isTemporary
        do { identity = try FileIdentity(descriptor) } catch { throw .writing(error) }
        if identity.kind == .directory { throw .writing(.isDirectory) }
    }

    /// Whether blocks of a `BlockBuffer` may go past the page cache.
    var takesBlocks: Bool {
        guard caching == .bypassed, isFile else { return false }
        let alignment = BlockBuffer.alignment
        return lseek(descriptor.rawValue, 0, SEEK_CUR) % off_t(alignment) == 0
            && sluice_takes_direct_writes(descriptor.rawValue, UInt32(alignment))
    }
}
