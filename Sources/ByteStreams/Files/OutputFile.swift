internal import Glibc
package import SystemPackage

/// A file that gets its name only when it is complete and on the disk; a file that has the name stays until then.
package struct OutputFile: ~Copyable, Sendable {
    private var file: TemporaryFile
    private let isReplacing: Bool
    /// Whether only its owner may read it, if it gets no metadata.
    package var isPrivate = false

    /// Metadata of its source that a file could not get.
    package struct Losses: OptionSet, Sendable {
        package let rawValue: Int32

        /// Extended attributes of the user namespace (`SLUICE_LOST_ATTRIBUTES`).
        package static let attributes = Losses(rawValue: 1)
        /// The access control list (`SLUICE_LOST_ACCESS_LIST`).
        package static let accessList = Losses(rawValue: 2)
        package static let owner = Losses(rawValue: 4)
        package static let group = Losses(rawValue: 8)

        package init(rawValue: Int32) { self.rawValue = rawValue }
    }

    /// How a file is brought to the disk.
    package enum Syncing: Sendable {
        /// The kernel, some time later.
        case later
        /// A sync of the file.
        case alone
        /// A sync of the file system, which also reports what closing the file would.
        case together
    }

    /// Creates the file, readable by its owner only.
    ///
    /// - Parameters:
    ///   - path: the name that it gets.
    ///   - isReplacing: whether a file of that name may be replaced; otherwise `commit` fails if there is one.
    /// - Throws: `file`.
    package init(at path: FilePath, isReplacing: Bool) throws(Failure) {
        self.init(try TemporaryFile(for: path), isReplacing: isReplacing)
    }

    /// Takes over a file that has been created.
    package init(_ file: consuming TemporaryFile, isReplacing: Bool) {
        self.file = file
        self.isReplacing = isReplacing
    }

    private var path: FilePath { file.target }

    /// To be written from the start.
    package var descriptor: FileDescriptor { file.descriptor }
    /// The note on how the file is made, if it is kept unfinished.
    package var note: ResumeNote? { file.note }
    package var canSyncFolder: Bool { file.folder.isReadable }

    /// Gives the file its metadata and its name.
    ///
    /// - Parameters:
    ///   - source: an open file whose owner, mode, times and attributes it gets; nil for the mode of a new file.
    ///   - isSynced: whether to wait until file and name are on the disk.
    ///   - mayReplace: as of `publish`.
    /// - Returns: the metadata that it did not get.
    /// - Throws: `file`. Unless the name was given and only the folder could not be synced, nothing is left behind.
    @discardableResult
    package consuming func commit(
        metadataOf source: FileDescriptor? = nil, isSynced: Bool = true,
        mayReplace: (FileIdentity?) -> Bool = { _ in true }
    ) throws(Failure) -> Losses {
        let (path, folder) = (path, file.folder)
        let losses = try complete(metadataOf: source, isSynced ? .alone : .later)
        guard try publish(mayReplace: mayReplace) else { throw .file(action: "create", path: path, .fileExists) }
        if isSynced { try folder.sync(for: path) }
        return losses
    }

    /// The first half of `commit`: everything but the name.
    @discardableResult
    package mutating func complete(metadataOf source: FileDescriptor?, _ syncing: Syncing) throws(Failure) -> Losses {
        // A file with another mode can't be resumed: syncing first makes the time between mode and name short.
        if syncing == .alone, file.note != nil { try Self.sync(descriptor, path) }
        var losses: Losses = []
        if let source {
            losses = try copyMetadata(from: source)
        } else if !isPrivate {
            try Failure.check("set the mode of", path) { fchmod(descriptor.rawValue, 0o666 & ~modeMask()) }
        }
        if syncing == .alone { try Self.sync(descriptor, path) }
        if syncing != .together || file.isNamed { try file.close() }
        return losses
    }

    /// The second half of `commit`: the name, which is on the disk when the folder is synced.
    ///
    /// - Parameter mayReplace: asked before a file of that name is replaced, with its identity, or nil if it has gone.
    /// - Returns: false if another file keeps the name; this one is gone then.
    package consuming func publish(mayReplace: (FileIdentity?) -> Bool = { _ in true }) throws(Failure) -> Bool {
        let note = file.note
        guard try takeName(mayReplace) else { return false }
        note?.remove()
        return true
    }

    private consuming func takeName(_ mayReplace: (FileIdentity?) -> Bool) throws(Failure) -> Bool {
        // A look at the name, instead of a claim, may show on a network what was there before.
        do throws(Failure) {
            if try file.claimName() { return true }
        } catch {
            // Not every file system can rename without replacing.
            guard isReplacing, file.isNamed, error != .cancelled else { throw error }
        }
        let occupant = file.occupant
        guard isReplacing, mayReplace(occupant) else { return false }
        // In a sandbox the kernel would say that permission is denied.
        if occupant?.kind == .directory { throw .file(action: "create", path: path, .isDirectory) }
        try file.takeName()
        return true
    }

    private func copyMetadata(from source: FileDescriptor) throws(Failure) -> Losses {
        var status = stat()
        try Failure.check("read the metadata for", path) { fstat(source.rawValue, &status) }
        // A set-user-ID bit is meant for the content of the source only.
        var mode = status.st_mode & 0o777
        let losses = giveAway(as: status).union(Losses(rawValue: descriptor.copyAttributes(of: source)))
        if !losses.isDisjoint(with: [.group, .accessList]) {
            // Another group has other members, and without the list the group's bits mean something else: group and
            // others both get the rights that both had.
            let shared = mode >> 3 & mode & 0o7
            mode = mode & 0o700 | shared << 3 | shared
        }
        try Failure.check("set the mode of", path) { fchmod(descriptor.rawValue, mode) }
        try Failure.check("set the times of", path) {
            withUnsafeBytes(of: (status.st_atim, status.st_mtim)) {
                futimens(descriptor.rawValue, $0.assumingMemoryBound(to: timespec.self).baseAddress)
            }
        }
        return losses
    }

    /// Gives the file the owner and the group of its source, or at least the group.
    private func giveAway(as source: stat) -> Losses {
        let own = try? FileIdentity(descriptor).status
        // To change them costs more than anything else for a file without content.
        if let own, own.st_uid == source.st_uid, own.st_gid == source.st_gid { return [] }
        if fchown(descriptor.rawValue, source.st_uid, source.st_gid) == 0 { return [] }
        var losses: Losses = fchown(descriptor.rawValue, uid_t.max, source.st_gid) == 0 ? [] : .group
        if own?.st_uid != source.st_uid { losses.insert(.owner) }
        return losses
    }

    /// Waits until the names in the folder of a file are on the disk.
    package static func syncFolder(of path: FilePath) throws(Failure) {
        let action = "sync the directory of"
        try Failure.file(action, path, OpenFolder(at: path.folder)).sync(for: path)
    }

    /// Waits until the content of a file is on the disk.
    ///
    /// - Parameters:
    ///   - path: names the file in a failure.
    ///   - action: names the call in a failure.
    /// - Throws: `file`.
    package static func sync(
        _ descriptor: FileDescriptor, _ path: FilePath, _ action: String = "sync"
    ) throws(Failure) {
        try Failure.check(action, path) {
            let code = fsync(descriptor.rawValue)
            // Some file systems have nothing to sync, and refuse it.
            return code != 0 && (errno == EINVAL || errno == ENOTSUP || errno == EROFS) ? 0 : code
        }
    }
}
