internal import Glibc
package import SystemPackage

/// A file that is written before it gets its name.
///
/// Until then it has none at all, so that nothing is left of it however the process ends. On file systems without such
/// files it has a temporary name, which goes with the value.
package struct TemporaryFile: ~Copyable, Sendable {
    /// To be written from the start.
    package let descriptor: FileDescriptor
    /// The name that it gets.
    let target: FilePath
    /// Where it is and gets that name, wherever the path leads by then.
    let folder: OpenFolder
    /// `.NAME.MARK.RANDOM.tmp`, the temporary name, if there is one; or `.NAME.part`, which stays.
    private let path: FilePath?
    /// The note on a file that stays unfinished.
    let note: ResumeNote?
    private var isOpen = true

    /// Creates the file, readable by its owner only.
    ///
    /// - Parameters:
    ///   - isNamed: whether it has a temporary name in any case.
    ///   - isReadable: whether it can be read back.
    /// - Throws: `file`.
    package init(for target: FilePath, isNamed: Bool = false, isReadable: Bool = false) throws(Failure) {
        guard target.lastComponent?.kind == .regular else { throw Self.objection(to: target) }
        let folder = try Self.openFolder(of: target)
        (descriptor, path) = try Self.create(for: target, in: folder, isNamed: isNamed, isReadable: isReadable)
        (self.target, self.folder, note) = (target, folder, nil)
    }

    /// Opens the file `.NAME.part` that an earlier run has left, or creates it. It stays if it does not get its name,
    /// unless nothing is in it.
    ///
    /// - Parameter startsOver: whether a file that can't be resumed is replaced.
    /// - Throws: `file`; `sharedLeftover`; `isBeingMade` if another process is at it.
    package init(resuming target: FilePath, startsOver: Bool = false) throws(Failure) {
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
        (self.target, self.folder, self.note, self.path) = (target, folder, note, path)
    }

    /// Takes a complete file, which keeps its name in the folder if it does not get the new one.
    ///
    /// - Parameter descriptor: stays open.
    /// - Throws: `file`.
    package init(
        finishing descriptor: FileDescriptor, _ path: FilePath, as target: FilePath, in folder: OpenFolder
    ) throws(Failure) {
        self.descriptor = try Failure.file("open", path, descriptor.duplicated())
        (self.target, self.folder, self.path, note) = (target, folder, path, nil)
    }

    deinit {
        if isOpen {
            if let note, let path { note.removeBegun(path, descriptor) }
            Glibc.close(descriptor.rawValue)
        }
        // A file that got its name, or stays, is not registered there any more.
        if let path { TemporaryFiles.remove(path) }
    }

    /// Whether it has a temporary name.
    var isNamed: Bool { path != nil }

    /// Ends the writing. A file without a name stays open, since it lasts only as long.
    ///
    /// - Throws: `file`.
    mutating func close() throws(Failure) {
        isOpen = !isNamed
        let (descriptor, isOpen) = (descriptor, isOpen)
        try Failure.file("close", target, descriptor.endWriting(staysOpen: isOpen))
    }

    /// Gives the file its name, if that is free.
    ///
    /// - Returns: whether it was.
    /// - Throws: `file`, or `cancelled` if the process is about to die.
    package borrowing func claimName() throws(Failure) -> Bool {
        do throws(Failure) {
            try Self.finish(descriptor, path, as: target, in: folder, isReplacing: false)
            return true
        } catch {
            if error.errno == .fileExists { return false }
            throw error
        }
    }

    /// The file that has the name now: a symbolic link itself, if it is one.
    var occupant: FileIdentity? { target.lastComponent.flatMap { try? folder.entry($0) } }

    /// Gives the file its name, and takes it from the file that has it.
    ///
    /// - Throws: as `claimName`.
    consuming func takeName() throws(Failure) {
        if path != nil { return try Self.finish(descriptor, path, as: target, in: folder, isReplacing: true) }
        // Linking never replaces: the file is linked under another name, and renamed.
        let (descriptor, folder, other) = (descriptor, folder, try Self.name(beside: target))
        try Self.register(other, in: folder, for: target) { () throws(Errno) in
            if let name = other.lastComponent { try folder.descriptor.link(descriptor, as: name) }
        }
        defer { TemporaryFiles.remove(other) }
        try Self.finish(descriptor, other, as: target, in: folder, isReplacing: true)
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

    /// A temporary name, short enough for every file system, with 64 random bits that no other file has.
    static func name(beside target: FilePath) throws(Failure) -> FilePath {
        let stem = String(decoding: (target.lastComponent?.string ?? "").utf8.prefix(200), as: UTF8.self)
        let random = String(try Failure.file("create", target, randomBits()), radix: 36)
        let component = FilePath.Component(".\(stem).\(TemporaryFiles.mark).\(random).tmp")
        return component.map { target.parent.appending($0) } ?? target
    }

    private static func openFolder(of target: FilePath) throws(Failure) -> OpenFolder {
        do throws(Errno) { return try OpenFolder.of(target) } catch { throw failure(error, creating: target) }
    }

    /// - Returns: the file, and its temporary name if it has one.
    private static func create(
        for target: FilePath, in folder: OpenFolder, isNamed: Bool, isReadable: Bool
    ) throws(Failure) -> (FileDescriptor, FilePath?) {
        if !isNamed, folder.hasUnnamedFiles, let file = folder.descriptor.createUnnamed(isReadable: isReadable) {
            return (file, nil)
        }
        let path = try name(beside: target)
        let file = try register(path, in: folder, for: target) { () throws(Errno) in
            guard let name = path.lastComponent else { throw .isDirectory }
            return try folder.descriptor.open(
                name, (isReadable ? O_RDWR : O_WRONLY) | O_CREAT | O_EXCL | O_NOFOLLOW)
        }
        return (file, path)
    }

    /// Opens the file that an earlier run has left for a later one, or creates it.
    private static func open(
        _ file: ResumableFile, _ note: ResumeNote, startsOver: Bool
    ) throws(Failure) -> FileDescriptor {
        for _ in 1...ResumableFile.attempts {
            if let new = try file.create() {
                do throws(Failure) { try note.begin(new) } catch {
                    try? new.close()
                    throw error
                }
                return new
            }
            guard let found = try file.find() else { continue }
            let isMeant = try note.recipe(of: found) != nil
            // Another user may have opened it while its mode allowed that, and could read everything written later.
            if found.size == 0 || (isMeant ? !file.isPrivate(found) : startsOver) {
                try file.remove()
            } else if let kept = try file.open(found) {
                return kept
            }
        }
        throw .sharedLeftover(file.path)
    }

    /// Why no file can have a name that means a folder.
    private static func objection(to target: FilePath) -> Failure {
        do throws(Errno) { _ = try FileIdentity(at: target) } catch .notDirectory {
            return .file(action: "create", path: target, .notDirectory)
        } catch .noSuchFileOrDirectory where target.lastComponent?.kind == .currentDirectory {
            return .missingDirectory(of: target)
        } catch {}
        return .file(action: "create", path: target, .isDirectory)
    }

    /// Runs `make`, which creates the file under its temporary name.
    private static func register<Result>(
        _ path: FilePath, in folder: OpenFolder, for target: FilePath, _ make: () throws(Errno) -> Result
    ) throws(Failure) -> Result {
        do throws(Errno) { return try TemporaryFiles.create(path, fate: .removed(folder), make) } catch .canceled {
            throw .cancelled
        } catch {
            throw failure(error, creating: target)
        }
    }

    private static func failure(_ error: Errno, creating target: FilePath) -> Failure {
        // The same error has other causes, such as a folder of the kernel's, where nothing can be created.
        let isMissing = error == .noSuchFileOrDirectory && (try? FileIdentity(at: target.folder)) == nil
        return isMissing ? .missingDirectory(of: target) : .file(action: "create", path: target, error)
    }
}
