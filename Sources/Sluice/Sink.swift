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
        /// The data goes to the disk alone, if the file system says that it can do that and the descriptor stands at the
        /// beginning of a page; else `writtenBack`.
        case bypassed
    }

    public let descriptor: FileDescriptor
    public let identity: FileIdentity
    public let caching: Caching

    public var isFile: Bool { identity.kind == .file }

    /// - Throws: `writing` if the descriptor can't be looked at, or is a directory.
    public init(_ descriptor: FileDescriptor, caching: Caching = .cached) throws(Failure) {
        self.descriptor = descriptor
        self.caching = caching
        do { identity = try FileIdentity(descriptor) } catch { throw .writing(error) }
        if identity.kind == .directory { throw .writing(.isDirectory) }
    }

    /// Has writes go past the page cache, if they are to and can.
    func startWritingDirectly() -> Bool {
        guard caching == .bypassed, isFile else { return false }
        let alignment = UInt32(BlockBuffer.alignment)
        let start = lseek(descriptor.rawValue, 0, SEEK_CUR)
        return start % off_t(alignment) == 0 && sluice_write_directly(descriptor.rawValue, alignment)
    }

    /// Has writes go through the page cache again.
    ///
    /// - Throws: `writing`.
    func stopWritingDirectly() throws(Failure) {
        guard sluice_write_through_cache(descriptor.rawValue) else { throw .writing(Errno(rawValue: errno)) }
    }
}
