internal import Glibc
internal import Synchronization
package import SystemPackage

/// A file that gets its name only when it is complete and synced; until then an existing file keeps the name.
///
/// Until then it is unnamed, so that nothing remains of it however the process ends. Where the file system does not
/// support unnamed files, it has a temporary name, which is removed with the value.
package struct OutputFile: ~Copyable, Sendable {
    /// How a file gets to disk.
    package enum Syncing: Sendable {
        /// The kernel writes it some time later.
        case later
        /// `fsync` of the file.
        case alone
        /// `syncfs` of the file system, which also reports the errors that closing the file would.
        case together
    }

    /// The descriptor to write to, from the start of the file.
    package let descriptor: FileDescriptor
    /// The final name.
    let target: FilePath
    /// The folder of the file and its final name, even if the path later leads elsewhere.
    package let folder: OpenFolder
    /// The temporary name `.NAME.MARK.RANDOM.tmp`, or `.NAME.part` of a file that is kept; nil for an unnamed file.
    private let path: FilePath?
    /// The note on how the file is made; nil unless the unfinished file is kept.
    package let note: ResumeNote?
    private let isReplacing: Bool
    private var isOpen = true

    /// Creates the file, accessible by its owner only.
    ///
    /// - Parameters:
    ///   - target: the final name.
    ///   - folder: the folder of the file; nil for the one that the path leads to.
    ///   - isReplacing: whether an existing file may be replaced; otherwise `commit` fails if there is one.
    ///   - isNamed: whether to use a temporary name even where unnamed files are supported.
    ///   - isReadable: whether the descriptor can also read.
    /// - Throws: `file`.
    package init(
        at target: FilePath, in folder: OpenFolder? = nil, isReplacing: Bool, isNamed: Bool = false,
        isReadable: Bool = false
    ) throws(Failure) {
        guard target.lastComponent?.kind == .regular else { throw Self.objection(to: target) }
        let folder = if let folder { folder } else { try Self.openFolder(of: target) }
        (descriptor, path) = try Self.create(for: target, in: folder, isNamed: isNamed, isReadable: isReadable)
        (self.target, self.folder) = (target, folder)
        (self.isReplacing, note) = (isReplacing, nil)
    }

    /// Opens the file `.NAME.part` that an earlier run has left, or creates it. If it does not get its final name, it
    /// stays, unless it is empty.
    ///
    /// - Parameters:
    ///   - target: the final name.
    ///   - folder: the folder of the file; nil for the one that the path leads to.
    ///   - isReplacing: whether an existing file may be replaced.
    ///   - startsOver: whether to replace an unfinished file that can't be resumed.
    /// - Throws: `file`; `sharedLeftover`; `isBeingMade` if another process is writing the file.
    package init(
        resuming target: FilePath, in folder: OpenFolder? = nil, isReplacing: Bool, startsOver: Bool = false
    ) throws(Failure) {
        guard target.lastComponent?.kind == .regular, let name = ResumeNote.name(of: target) else {
            throw Self.objection(to: target)
        }
        let folder = if let folder { folder } else { try Self.openFolder(of: target) }
        let note = try ResumeNote(for: target, in: folder)
        let path = target.parent.appending(name)
        do throws(Failure) {
            descriptor = try Self.open(PrivateFile(path, in: folder), note, startsOver: startsOver)
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
        // A file that has its final name, or stays, is no longer registered.
        if let path { TemporaryFiles.undo(path) }
    }

    package var canSyncFolder: Bool { folder.isReadable }

    /// Gives the file its metadata and its name.
    ///
    /// - Parameters:
    ///   - source: an open file whose owner, mode, times and attributes to copy; nil for the mode of a new file.
    ///   - access: narrows the mode of a new file.
    ///   - isSynced: whether to wait until the file and its name are on disk.
    ///   - mayReplace: see `publish`.
    /// - Returns: the metadata that could not be copied.
    /// - Throws: `file`. Nothing is left behind, unless the file already has its name and only syncing the folder
    ///   failed.
    @discardableResult
    package consuming func commit(
        metadataOf source: FileDescriptor? = nil, within access: CommonAccess = CommonAccess(), isSynced: Bool = true,
        mayReplace: (FileIdentity?) -> Bool = { _ in true }
    ) throws(Failure) -> Losses {
        let (target, folder) = (target, folder)
        let losses = try complete(metadataOf: source, within: access, isSynced ? .alone : .later)
        guard try publish(mayReplace: mayReplace) else { throw .file(action: "create", path: target, .fileExists) }
        if isSynced { try folder.sync(for: target) }
        return losses
    }

    /// The first half of `commit`: everything except the name.
    @discardableResult
    package mutating func complete(
        metadataOf source: FileDescriptor?, within access: CommonAccess = CommonAccess(), _ syncing: Syncing
    ) throws(Failure) -> Losses {
        // A file whose mode has changed can't be resumed. Syncing first shortens the time between setting the mode and
        // naming.
        if syncing == .alone, note != nil { try Self.sync(descriptor, target) }
        let losses = try setMetadata(from: source, within: access)
        if syncing == .alone { try Self.sync(descriptor, target) }
        try note?.checkHold(of: descriptor)
        if syncing != .together || path != nil { try close() }
        return losses
    }

    /// Ends the writing. An unnamed file stays open: it would vanish when closed.
    private mutating func close() throws(Failure) {
        isOpen = path == nil
        let (descriptor, isOpen) = (descriptor, isOpen)
        try Failure.file("close", target, descriptor.endWriting(staysOpen: isOpen))
    }

    /// The second half of `commit`: gives the file its name, which is on disk once the folder is synced.
    ///
    /// - Parameter mayReplace: called before an existing file is replaced, with its identity, or nil if it is gone.
    /// - Returns: false if the existing file keeps the name; this one is then removed.
    /// - Throws: `file`, or `cancelled` if the process is about to die.
    package consuming func publish(mayReplace: (FileIdentity?) -> Bool = { _ in true }) throws(Failure) -> Bool {
        let note = note
        guard try takeName(mayReplace) else { return false }
        note?.remove()
        return true
    }

    private consuming func takeName(_ mayReplace: (FileIdentity?) -> Bool) throws(Failure) -> Bool {
        let (target, folder) = (target, folder)
        // Try to claim the name instead of looking it up: on a network file system, a lookup may be out of date.
        do throws(Failure) {
            try Self.finish(descriptor, path, as: target, in: folder, isReplacing: false)
            return true
        } catch {
            // Not every file system supports renaming without replacing.
            guard error.errno == .fileExists || isReplacing && path != nil && error != .cancelled else { throw error }
        }
        // If the name is a symbolic link, look at the link itself.
        let occupant = target.lastComponent.flatMap { try? folder.entry($0) }
        guard isReplacing, mayReplace(occupant) else { return false }
        // Test for a directory here: in a sandbox, the kernel would report "permission denied" instead.
        if occupant?.kind == .directory { throw .file(action: "create", path: target, .isDirectory) }
        if path != nil {
            try Self.finish(descriptor, path, as: target, in: folder, isReplacing: true)
        } else {
            try Self.replace(target, in: folder, by: descriptor)
        }
        return true
    }

    /// Links the file under a temporary name and renames that, because linking never replaces.
    private static func replace(
        _ target: FilePath, in folder: OpenFolder, by descriptor: FileDescriptor
    ) throws(Failure) {
        let other = try TemporaryFiles.path(beside: target)
        try register(other, in: folder, for: target) { () throws(Errno) in
            if let name = other.lastComponent { try folder.descriptor.link(descriptor, as: name) }
        }
        defer { TemporaryFiles.undo(other) }
        try finish(descriptor, other, as: target, in: folder, isReplacing: true)
    }

    /// Renames the file, or links it if it is unnamed.
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

extension OutputFile {
    static func openFolder(of target: FilePath) throws(Failure) -> OpenFolder {
        do throws(Errno) { return try OpenFolder.of(target) } catch { throw failure(error, creating: target) }
    }

    /// - Returns: the file, and its temporary name if it has one.
    static func create(
        for target: FilePath, in folder: OpenFolder, isNamed: Bool, isReadable: Bool
    ) throws(Failure) -> (FileDescriptor, FilePath?) {
        if !isNamed, folder.hasUnnamedFiles {
            if let kept = try tryLink(in: folder, for: target, isReadable: isReadable) { return kept }
            let isRefused = linking.withLock { $0 } == .refused
            if !isRefused, let file = folder.descriptor.createUnnamed(isReadable: isReadable) { return (file, nil) }
        }
        let path = try TemporaryFiles.path(beside: target)
        let file = try register(path, in: folder, for: target) { () throws(Errno) in
            guard let name = path.lastComponent else { throw .isDirectory }
            return try folder.descriptor.open(name, (isReadable ? O_RDWR : O_WRONLY) | O_CREAT | O_EXCL | O_NOFOLLOW)
        }
        return (file, path)
    }

    /// Whether this process can link unnamed files.
    enum Linking { case untried, works, refused }
    static let linking = Mutex(Linking.untried)

    /// Tests, once per process, whether an unnamed file can be linked. AppArmor or a system call filter may allow the
    /// process to create such a file but not to link it, which would otherwise only show at the very end.
    ///
    /// - Returns: mostly nil; the tested file if its temporary name could not be removed.
    private static func tryLink(
        in folder: OpenFolder, for target: FilePath, isReadable: Bool
    ) throws(Failure) -> (FileDescriptor, FilePath?)? {
        try linking.withLock { linking throws(Failure) in
            // In an append-only folder, names can be neither removed nor renamed.
            guard linking == .untried, !folder.descriptor.isAppendOnly,
                let path = try? TemporaryFiles.path(beside: target), let name = path.lastComponent,
                let file = folder.descriptor.createUnnamed(isReadable: isReadable)
            else { return nil }
            do throws(Errno) {
                if try linkBriefly(path, folder, { () throws(Errno) in try folder.descriptor.link(file, as: name) }) {
                    try TemporaryFiles.create(path, fate: .removed(folder)) {}
                    return (file, path)
                }
                linking = .works
            } catch {
                linking = error == .canceled ? .untried : .refused
            }
            try? file.close()
            if TemporaryFiles.isEnding { throw .cancelled }
            return nil
        }
    }

    /// Links a file under a temporary name and removes that name again.
    ///
    /// - Returns: whether the name could not be removed.
    private static func linkBriefly(
        _ path: FilePath, _ folder: OpenFolder, _ link: () throws(Errno) -> Void
    ) throws(Errno) -> Bool {
        // Until signals are handled, one between the two calls would end the process and leave the name.
        try withoutSignals { () throws(Errno) in
            try TemporaryFiles.create(path, fate: .removed(folder), isBrief: true, link)
            return !TemporaryFiles.undo(path)
        }
    }

    /// Opens the file that an earlier run has left for a later one, or creates it.
    static func open(_ file: PrivateFile, _ note: ResumeNote, startsOver: Bool) throws(Failure) -> FileDescriptor {
        for _ in 1...PrivateFile.attempts {
            if let new = try file.create() { return try closingOnFailure(new, note.begin) }
            guard let found = try file.find() else { continue }
            let isMeant = try note.recipe(of: found) != nil
            // Another user may have opened the file while its mode allowed that, and could read everything written
            // later.
            if found.size == 0 || (isMeant ? !file.isPrivate(found) : startsOver) {
                try file.remove()
            } else if let kept = try file.open(found) {
                return try closingOnFailure(kept) { _ throws(Failure) in try note.hold() }
            }
        }
        throw .sharedLeftover(file.path)
    }

    /// Runs a body on an open file, and closes the file if that fails.
    private static func closingOnFailure(
        _ file: FileDescriptor, _ body: (FileDescriptor) throws(Failure) -> Void
    ) throws(Failure) -> FileDescriptor {
        do throws(Failure) { try body(file) } catch {
            try? file.close()
            throw error
        }
        return file
    }

    /// The failure for a target that names a folder.
    static func objection(to target: FilePath) -> Failure {
        do throws(Errno) { _ = try FileIdentity(at: target) } catch .notDirectory {
            return .file(action: "create", path: target, .notDirectory)
        } catch .noSuchFileOrDirectory where target.lastComponent?.kind == .currentDirectory {
            return .missingDirectory(of: target)
        } catch {}
        return .file(action: "create", path: target, .isDirectory)
    }

    /// Runs `make`, which creates the file under its temporary name, with that name registered.
    static func register<Result>(
        _ path: FilePath, in folder: OpenFolder, for target: FilePath, _ make: () throws(Errno) -> Result
    ) throws(Failure) -> Result {
        do throws(Errno) { return try TemporaryFiles.create(path, fate: .removed(folder), make) } catch .canceled {
            throw .cancelled
        } catch {
            throw failure(error, creating: target)
        }
    }

    private static func failure(_ error: Errno, creating target: FilePath) -> Failure {
        // The error has other causes too, such as folders of the kernel in which nothing can be created.
        let isMissing = error == .noSuchFileOrDirectory && (try? FileIdentity(at: target.folder)) == nil
        return isMissing ? .missingDirectory(of: target) : .file(action: "create", path: target, error)
    }
}

extension OutputFile {
    /// Waits until the content of a file is on disk.
    ///
    /// - Parameters:
    ///   - path: the file's name in a failure.
    ///   - action: the call's name in a failure.
    /// - Throws: `file`.
    package static func sync(
        _ descriptor: FileDescriptor, _ path: FilePath, _ action: String = "sync"
    ) throws(Failure) {
        try Failure.check(action, path) {
            let code = fsync(descriptor.rawValue)
            // Some file systems have nothing to sync and reject the call.
            return code != 0 && [EINVAL, ENOTSUP, ENOSYS, EROFS].contains(errno) ? 0 : code
        }
    }
}
