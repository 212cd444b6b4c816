internal import Glibc
package import SystemPackage

/// A file that gets its name only when it is complete and on the disk; a file that has the name stays until then.
///
/// Until then it has no name at all, so that nothing is left of it however the process ends. On file systems without
/// such files it has a temporary name, which goes with the value.
package struct OutputFile: ~Copyable, Sendable {
    /// How a file is brought to the disk.
    package enum Syncing: Sendable {
        /// The kernel, some time later.
        case later
        /// A sync of the file.
        case alone
        /// A sync of the file system, which also reports what closing the file would.
        case together
    }

    /// To be written from the start.
    package let descriptor: FileDescriptor
    /// The name that it gets.
    let target: FilePath
    /// Where it is and gets that name, wherever the path leads by then.
    package let folder: OpenFolder
    /// `.NAME.MARK.RANDOM.tmp`, the temporary name, if there is one; or `.NAME.part`, which stays.
    private let path: FilePath?
    /// The note on how the file is made, if it is kept unfinished.
    package let note: ResumeNote?
    private let isReplacing: Bool
    private var isOpen = true

    /// Creates the file, readable by its owner only.
    ///
    /// - Parameters:
    ///   - target: the name that it gets.
    ///   - isReplacing: whether a file of that name may be replaced; otherwise `commit` fails if there is one.
    ///   - isNamed: whether it has a temporary name in any case.
    ///   - isReadable: whether it can be read back.
    /// - Throws: `file`.
    package init(
        at target: FilePath, isReplacing: Bool, isNamed: Bool = false, isReadable: Bool = false
    ) throws(Failure) {
        guard target.lastComponent?.kind == .regular else { throw Self.objection(to: target) }
        let folder = try Self.openFolder(of: target)
        (descriptor, path) = try Self.create(for: target, in: folder, isNamed: isNamed, isReadable: isReadable)
        (self.target, self.folder, self.isReplacing, note) = (target, folder, isReplacing, nil)
    }

    /// Opens the file `.NAME.part` that an earlier run has left, or creates it. It stays if it does not get its name,
    /// unless nothing is in it.
    ///
    /// - Parameters:
    ///   - target: the name that it gets.
    ///   - isReplacing: whether a file of that name may be replaced.
    ///   - startsOver: whether a file that can't be resumed is replaced.
    /// - Throws: `file`; `sharedLeftover`; `isBeingMade` if another process is at it.
    package init(resuming target: FilePath, isReplacing: Bool, startsOver: Bool = false) throws(Failure) {
        guard target.lastComponent?.kind == .regular, let name = ResumeNote.name(of: target) else {
            throw Self.objection(to: target)
        }
        let folder = try Self.openFolder(of: target)
        let note = try ResumeNote(for: target, in: folder)
        let path = target.parent.appending(name)
        do throws(Failure) {
            descriptor = try Self.open(ResumableFile(path, in: folder), note, startsOver: startsOver)
        } catch {
            note.removeIfEmpty()
            throw error
        }
        (self.target, self.folder, self.isReplacing) = (target, folder, isReplacing)
        (self.note, self.path) = (note, path)
    }

    deinit {
        if isOpen {
            if let note, let path { note.removeBegun(path, descriptor) }
            Glibc.close(descriptor.rawValue)
        }
        // A file that got its name, or stays, is not registered there any more.
        if let path { TemporaryFiles.remove(path) }
    }

    package var canSyncFolder: Bool { folder.isReadable }

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
        let (target, folder) = (target, folder)
        let losses = try complete(metadataOf: source, isSynced ? .alone : .later)
        guard try publish(mayReplace: mayReplace) else { throw .file(action: "create", path: target, .fileExists) }
        if isSynced { try folder.sync(for: target) }
        return losses
    }

    /// The first half of `commit`: everything but the name.
    @discardableResult
    package mutating func complete(metadataOf source: FileDescriptor?, _ syncing: Syncing) throws(Failure) -> Losses {
        // A file with another mode can't be resumed: syncing first makes the time between mode and name short.
        if syncing == .alone, note != nil { try Self.sync(descriptor, target) }
        var losses: Losses = []
        if let source {
            losses = try copyMetadata(from: source)
        } else {
            losses = setMode(0o666 & ~modeMask())
        }
        if syncing == .alone { try Self.sync(descriptor, target) }
        try note?.checkHold(of: descriptor)
        if syncing != .together || path != nil { try close() }
        return losses
    }

    /// Ends the writing. A file without a name stays open, since it lasts only as long.
    private mutating func close() throws(Failure) {
        isOpen = path == nil
        let (descriptor, isOpen) = (descriptor, isOpen)
        try Failure.file("close", target, descriptor.endWriting(staysOpen: isOpen))
    }

    /// The second half of `commit`: the name, which is on the disk when the folder is synced.
    ///
    /// - Parameter mayReplace: asked before a file of that name is replaced, with its identity, or nil if it has gone.
    /// - Returns: false if another file keeps the name; this one is gone then.
    /// - Throws: `file`, or `cancelled` if the process is about to die.
    package consuming func publish(mayReplace: (FileIdentity?) -> Bool = { _ in true }) throws(Failure) -> Bool {
        let note = note
        guard try takeName(mayReplace) else { return false }
        note?.remove()
        return true
    }

    private consuming func takeName(_ mayReplace: (FileIdentity?) -> Bool) throws(Failure) -> Bool {
        let (target, folder) = (target, folder)
        // A look at the name, instead of a claim, may show on a network what was there before.
        do throws(Failure) {
            try Self.finish(descriptor, path, as: target, in: folder, isReplacing: false)
            return true
        } catch {
            // Not every file system can rename without replacing.
            guard error.errno == .fileExists || isReplacing && path != nil && error != .cancelled else { throw error }
        }
        // A symbolic link itself, if it is one.
        let occupant = target.lastComponent.flatMap { try? folder.entry($0) }
        guard isReplacing, mayReplace(occupant) else { return false }
        // In a sandbox the kernel would say that permission is denied.
        if occupant?.kind == .directory { throw .file(action: "create", path: target, .isDirectory) }
        if path != nil {
            try Self.finish(descriptor, path, as: target, in: folder, isReplacing: true)
        } else {
            try Self.replace(target, in: folder, by: descriptor)
        }
        return true
    }

    /// Links a file under another name, and renames it, because linking never replaces.
    private static func replace(
        _ target: FilePath, in folder: OpenFolder, by descriptor: FileDescriptor
    ) throws(Failure) {
        let other = try TemporaryFiles.name(beside: target)
        try register(other, in: folder, for: target) { () throws(Errno) in
            if let name = other.lastComponent { try folder.descriptor.link(descriptor, as: name) }
        }
        defer { TemporaryFiles.remove(other) }
        try finish(descriptor, other, as: target, in: folder, isReplacing: true)
    }

    /// Renames the file, or links it if it has no name.
    private static func finish(
        _ descriptor: FileDescriptor, _ path: FilePath?, as target: FilePath, in folder: OpenFolder, isReplacing: Bool
    ) throws(Failure) {
        guard let name = target.lastComponent else { throw .file(action: "create", path: target, .isDirectory) }
        let folder = folder.descriptor
        try TemporaryFiles.finish(path) { () throws(Failure) in
            guard let own = path?.lastComponent else {
                return try Failure.file("create", target, folder.link(descriptor, as: name))
            }
            try Failure.file("create", target, folder.rename(own, to: name, isReplacing: isReplacing))
        }
    }
}
