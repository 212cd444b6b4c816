internal import Glibc
internal import Synchronization
internal import SystemPackage

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
            let mayLink = canLink.withLock { $0 } != false
            if mayLink, let file = folder.descriptor.createUnnamed(isReadable: isReadable) { return (file, nil) }
        }
        let path = try TemporaryFiles.name(beside: target)
        let file = try register(path, in: folder, for: target) { () throws(Errno) in
            guard let name = path.lastComponent else { throw .isDirectory }
            return try folder.descriptor.open(
                name, (isReadable ? O_RDWR : O_WRONLY) | O_CREAT | O_EXCL | O_NOFOLLOW)
        }
        return (file, path)
    }

    /// Whether files without a name get one later; nil if that is not known yet.
    static let canLink = Mutex<Bool?>(nil)

    /// Tries, once in a process, whether a file without a name gets one. Confined by AppArmor or a filter of system
    /// calls, a process may be able to create such a file and not to link it, which would show when all is done.
    ///
    /// - Returns: mostly nil; the file that was tried, if it can't be rid of its temporary name.
    private static func tryLink(
        in folder: OpenFolder, for target: FilePath, isReadable: Bool
    ) throws(Failure) -> (FileDescriptor, FilePath?)? {
        try canLink.withLock { known throws(Failure) in
            // No name can be removed from some folders, nor files renamed there.
            guard known == nil, !folder.descriptor.isAppendOnly,
                let path = try? TemporaryFiles.name(beside: target), let name = path.lastComponent,
                let file = folder.descriptor.createUnnamed(isReadable: isReadable)
            else { return nil }
            do throws(Errno) {
                if try keepsName(path, folder, { () throws(Errno) in try folder.descriptor.link(file, as: name) }) {
                    try TemporaryFiles.create(path, fate: .removed(folder)) {}
                    return (file, path)
                }
                known = true
            } catch {
                known = error == .canceled ? nil : false
            }
            close(file.rawValue)
            if TemporaryFiles.isEnding { throw .cancelled }
            return nil
        }
    }

    /// Links a file under a temporary name, and removes that.
    ///
    /// - Returns: whether it keeps the name.
    private static func keepsName(
        _ path: FilePath, _ folder: OpenFolder, _ link: () throws(Errno) -> Void
    ) throws(Errno) -> Bool {
        // A signal that nobody watches yet would end the process between the two calls.
        try withoutSignals { () throws(Errno) in
            try TemporaryFiles.create(path, fate: .removed(folder), isBrief: true, link)
            return !TemporaryFiles.remove(path)
        }
    }

    /// Opens the file that an earlier run has left for a later one, or creates it.
    static func open(
        _ file: ResumableFile, _ note: ResumeNote, startsOver: Bool
    ) throws(Failure) -> FileDescriptor {
        for _ in 1...ResumableFile.attempts {
            if let new = try file.create() { return try keep(new, by: note.begin) }
            guard let found = try file.find() else { continue }
            let isMeant = try note.recipe(of: found) != nil
            // Another user may have opened it while its mode allowed that, and could read everything written later.
            if found.size == 0 || (isMeant ? !file.isPrivate(found) : startsOver) {
                try file.remove()
            } else if let kept = try file.open(found) {
                return try keep(kept) { _ throws(Failure) in try note.hold() }
            }
        }
        throw .sharedLeftover(file.path)
    }

    /// Runs `note` on an open file, which is closed if that fails.
    private static func keep(
        _ file: FileDescriptor, by note: (FileDescriptor) throws(Failure) -> Void
    ) throws(Failure) -> FileDescriptor {
        do throws(Failure) { try note(file) } catch {
            try? file.close()
            throw error
        }
        return file
    }

    /// Why no file can have a name that means a folder.
    static func objection(to target: FilePath) -> Failure {
        do throws(Errno) { _ = try FileIdentity(at: target) } catch .notDirectory {
            return .file(action: "create", path: target, .notDirectory)
        } catch .noSuchFileOrDirectory where target.lastComponent?.kind == .currentDirectory {
            return .missingDirectory(of: target)
        } catch {}
        return .file(action: "create", path: target, .isDirectory)
    }

    /// Runs `make`, which creates the file under its temporary name.
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
        // The same error has other causes, such as a folder of the kernel's, where nothing can be created.
        let isMissing = error == .noSuchFileOrDirectory && (try? FileIdentity(at: target.folder)) == nil
        return isMissing ? .missingDirectory(of: target) : .file(action: "create", path: target, error)
    }
}
