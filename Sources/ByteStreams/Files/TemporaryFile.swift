internal import CKernel
internal import Glibc
package import SystemPackage

/// A file that is written before it gets its name.
///
/// Until then it has none at all, so that nothing is left of it however the process ends. Where the file system does
/// not have such files, it has another one beside, and goes when the value does.
package struct TemporaryFile: ~Copyable, Sendable {
    /// To be written from the start.
    package let descriptor: FileDescriptor
    /// The name that it gets.
    private let target: FilePath
    /// Where it is, and gets that name: not where the path leads by then.
    let folder: OpenFolder
    /// `.NAME.MARK.RANDOM.tmp`: the name until then, if there is one. Or `.NAME.part`, which stays.
    private let path: FilePath?
    /// Of a file that stays unfinished: how it is made.
    let note: ResumeNote?
    private var isOpen = true

    /// Creates the file, readable by its owner only.
    ///
    /// - Parameters:
    ///   - isNamed: whether it has another name in any case.
    ///   - isReadable: whether it can be read back.
    /// - Throws: `file`.
    package init(for target: FilePath, isNamed: Bool, isReadable: Bool = false) throws(Failure) {
        guard target.lastComponent?.kind == .regular else { throw Self.objection(to: target) }
        let folder = try Self.openFolder(of: target)
        (descriptor, path) = try Self.create(
            for: target, in: folder, isNamed: isNamed, isReadable: isReadable)
        (self.target, self.folder, note) = (target, folder, nil)
    }

    /// Opens what an earlier run has left, or creates the file. It is not removed if it does not get its name.
    ///
    /// - Parameter startsOver: whether what is there gives way if the note tells of another file.
    /// - Throws: `file`, `isBeingMade`.
    init(resuming target: FilePath, startsOver: Bool) throws(Failure) {
        guard target.lastComponent?.kind == .regular, let name = ResumeNote.name(of: target) else {
            throw Self.objection(to: target)
        }
        let folder = try Self.openFolder(of: target)
        let note = try ResumeNote(for: target, in: folder)
        let path = target.removingLastComponent().appending(name)
        do throws(Failure) {
            descriptor = try Self.open(path, in: folder, note, startsOver: startsOver)
        } catch {
            note.removeIfEmpty()
            throw error
        }
        (self.target, self.folder, self.note, self.path) = (target, folder, note, path)
    }

    /// What has another name in the folder already, and keeps it if it does not get its own.
    ///
    /// - Parameter descriptor: stays open.
    /// - Throws: `file`.
    init(
        finishing descriptor: FileDescriptor, _ path: FilePath, as target: FilePath, in folder: OpenFolder
    ) throws(Failure) {
        self.descriptor = FileDescriptor(
            rawValue: try Failure.check("open", path) { fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 0) })
        (self.target, self.folder, self.path, note) = (target, folder, path, nil)
    }

    deinit {
        if isOpen { Glibc.close(descriptor.rawValue) }
        // After it got its own there is none, and one that stays is not known there.
        if let path { TemporaryFiles.remove(path) }
    }

    /// Whether it has a name until then.
    var isNamed: Bool { path != nil }

    /// Nothing more is written.
    ///
    /// - Throws: `file`.
    mutating func close() throws(Failure) {
        // Without a name it lasts as long as it is open: a duplicate tells what closing it would.
        isOpen = path == nil
        let closing = path == nil ? dup(descriptor.rawValue) : descriptor.rawValue
        // Linux has closed the descriptor also when it reports EINTR.
        guard closing < 0 || Glibc.close(closing) == 0 || errno == EINTR else {
            throw .file(action: "close", path: target, Errno(rawValue: errno))
        }
    }

    /// Gives the file its name, if that is free.
    ///
    /// - Returns: whether it has it.
    /// - Throws: `file`, or `cancelled` if the process is about to die.
    package borrowing func claimName() throws(Failure) -> Bool {
        let (descriptor, target, folder, path) = (descriptor, target, folder, path)
        do throws(Failure) {
            try TemporaryFiles.finish(path) { () throws(Failure) in
                if let path { return try Self.rename(path, to: target, in: folder, isReplacing: false) }
                try Failure.check("create", target) { Self.link(descriptor, to: target, in: folder) }
            }
            return true
        } catch {
            if error.errno == .fileExists { return false }
            throw error
        }
    }

    /// What has the name now: a link itself, if it is one.
    var occupant: FileIdentity? {
        guard let name = target.lastComponent.map({ FilePath(root: nil, [$0]) }) else { return nil }
        return try? FileIdentity(at: name, in: folder.descriptor, followingLinks: false, isFresh: true)
    }

    /// Gives the file its name, and takes it from the file that has it.
    ///
    /// - Throws: as `claimName`.
    consuming func takeName() throws(Failure) {
        let (descriptor, target, folder, path) = (descriptor, target, folder, path)
        if let path { return try Self.replace(target, by: path, in: folder) }
        // Linking never replaces: it is linked beside, and renamed.
        let other = try Self.name(beside: target)
        try Self.register(other, in: folder, for: target) { Self.link(descriptor, to: other, in: folder) }
        defer { TemporaryFiles.remove(other) }
        try Self.replace(target, by: other, in: folder)
    }

    private static func replace(_ target: FilePath, by path: FilePath, in folder: OpenFolder) throws(Failure) {
        try TemporaryFiles.finish(path) { () throws(Failure) in
            try rename(path, to: target, in: folder, isReplacing: true)
        }
    }

    private static func link(_ descriptor: FileDescriptor, to target: FilePath, in folder: OpenFolder) -> Int32 {
        withName(of: target) { sluice_link_unnamed(descriptor.rawValue, folder.descriptor.rawValue, $0) }
    }

    private static func rename(
        _ path: FilePath, to target: FilePath, in folder: OpenFolder, isReplacing: Bool
    ) throws(Failure) {
        let folder = folder.descriptor.rawValue
        try Failure.check("create", target) {
            withName(of: target) { target in
                withName(of: path) { path in
                    isReplacing
                        ? renameat(folder, path, folder, target) : sluice_rename_exclusively(folder, path, target)
                }
            }
        }
    }

    /// Calls `body` with the last word of a path, which is a name in the folder.
    private static func withName(of path: FilePath, _ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
        path.lastComponent?.withPlatformString(body) ?? -1
    }

    /// So short that the file system takes it; the 64 random bits are nobody else's.
    static func name(beside target: FilePath) throws(Failure) -> FilePath {
        let stem = String(decoding: (target.lastComponent?.string ?? "").utf8.prefix(200), as: UTF8.self)
        var random: UInt64 = 0
        guard sluice_random(&random, MemoryLayout.size(ofValue: random)) else {
            throw .file(action: "create", path: target, Errno(rawValue: errno))
        }
        let component = FilePath.Component(".\(stem).\(TemporaryFiles.mark).\(String(random, radix: 36)).tmp")
        return component.map { target.removingLastComponent().appending($0) } ?? target
    }

    private static func openFolder(of target: FilePath) throws(Failure) -> OpenFolder {
        do throws(Errno) { return try OpenFolder.of(target) } catch { throw failure(error, creating: target) }
    }

    /// - Returns: the file, and the name that it has, if it has one.
    private static func create(
        for target: FilePath, in folder: OpenFolder, isNamed: Bool, isReadable: Bool
    ) throws(Failure) -> (FileDescriptor, FilePath?) {
        // Where the file system has none without a name, this fails.
        let mayHaveNone = !isNamed && folder.hasUnnamedFiles
        let unnamed = mayHaveNone ? sluice_create_unnamed(folder.descriptor.rawValue, isReadable) : -1
        if unnamed >= 0 { return (FileDescriptor(rawValue: unnamed), nil) }
        let path = try name(beside: target)
        let flags = (isReadable ? O_RDWR : O_WRONLY) | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = try register(path, in: folder, for: target) {
            withName(of: path) { openat(folder.descriptor.rawValue, $0, flags, 0o600) }
        }
        return (FileDescriptor(rawValue: descriptor), path)
    }

    /// Opens what an earlier run has left for a later one, or creates it.
    private static func open(
        _ path: FilePath, in folder: OpenFolder, _ note: ResumeNote, startsOver: Bool
    ) throws(Failure) -> FileDescriptor {
        for _ in 1...ResumableFile.attempts {
            if let new = try ResumableFile.create(path, in: folder) {
                do throws(Failure) { try note.begin(new) } catch {
                    try? new.close()
                    throw error
                }
                return new
            }
            guard let found = try ResumableFile.find(path, in: folder) else { continue }
            let isMeant = try note.recipe(of: found) != nil
            // Who opened it when it was another's to read would read what comes into it.
            if found.size == 0 || (isMeant ? !ResumableFile.isPrivate(found, at: path) : startsOver) {
                try ResumableFile.remove(path, in: folder)
            } else if let kept = try ResumableFile.open(found, path, in: folder) {
                return kept
            }
        }
        throw ResumableFile.refusal(path)
    }

    /// Why no file can have a name that means a folder.
    private static func objection(to target: FilePath) -> Failure {
        do throws(Errno) { _ = try FileIdentity(at: target) } catch .notDirectory {
            return .file(action: "create", path: target, .notDirectory)
        } catch .noSuchFileOrDirectory where target.lastComponent?.kind == .currentDirectory {
            return .missingFolder(of: target)
        } catch {}
        return .file(action: "create", path: target, .isDirectory)
    }

    /// Runs `make`, which puts the file under its temporary name.
    @discardableResult
    private static func register(
        _ path: FilePath, in folder: OpenFolder, for target: FilePath, _ make: () -> Int32
    ) throws(Failure) -> Int32 {
        do throws(Errno) { return try TemporaryFiles.create(path, fate: .removed(folder), make) } catch .canceled {
            throw .cancelled
        } catch {
            throw failure(error, creating: target)
        }
    }

    private static func failure(_ error: Errno, creating target: FilePath) -> Failure {
        // The same error has other causes, such as a folder of the kernel's, where nothing can be created.
        let isMissing = error == .noSuchFileOrDirectory && (try? FileIdentity(at: target.folder)) == nil
        return isMissing ? .missingFolder(of: target) : .file(action: "create", path: target, error)
    }
}
