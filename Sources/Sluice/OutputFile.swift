internal import CKernel
internal import Glibc
public import SystemPackage

/// A file that appears under its name only when it is whole.
///
/// Until `commit` it has no name at all, so that nothing is left of it however the process ends; where the file system does
/// not have such files, it is a temporary one beside the target, which goes when the value does. Whatever was under the name
/// stays until the new file is complete, on the disk, and renamed over it.
public struct OutputFile: ~Copyable, Sendable {
    /// To be written from the start.
    public let descriptor: FileDescriptor
    private let path: FilePath
    /// Beside the target: the name until `commit`, or if there is none, the one from which it is renamed.
    private let temporary: FilePath
    private let isNamed: Bool
    private let isReplacing: Bool
    private var isOpen = true

    /// Creates the file, readable by its owner only.
    ///
    /// - Parameter isReplacing: whether a file of that name may be replaced; otherwise `commit` fails if there is one.
    /// - Throws: `file`.
    public init(at path: FilePath, isReplacing: Bool) throws(Failure) {
        try self.init(at: path, isReplacing: isReplacing, isNamed: false)
    }

    /// - Parameter isNamed: whether it has a temporary name in any case.
    init(at path: FilePath, isReplacing: Bool, isNamed: Bool) throws(Failure) {
        let temporary = try Self.temporaryName(beside: path)
        let unnamed = isNamed ? nil : Self.createUnnamed(beside: path)
        descriptor = if let unnamed { unnamed } else { try Self.create(temporary, for: path) }
        self.isNamed = unnamed == nil
        self.temporary = temporary
        self.path = path
        self.isReplacing = isReplacing
    }

    deinit {
        if isOpen { close(descriptor.rawValue) }
        // After a commit there is none.
        TemporaryFiles.remove(temporary)
    }

    /// Gives the file its metadata and its name.
    ///
    /// - Parameters:
    ///   - source: an open file whose owner, mode, times and attributes it gets; nil for the mode of a new file.
    ///   - isSynced: whether to wait until file and name are on the disk.
    /// - Throws: `file`. Unless the name was given and only the folder could not be synced, nothing is left behind.
    public consuming func commit(metadataOf source: FileDescriptor?, isSynced: Bool) throws(Failure) {
        let path = path
        try complete(metadataOf: source, isSynced: isSynced)
        try publish()
        if isSynced { try Self.syncFolder(of: path) }
    }

    /// The first half of `commit`: everything but the name.
    public mutating func complete(metadataOf source: FileDescriptor?, isSynced: Bool) throws(Failure) {
        if let source {
            try copyMetadata(from: source)
        } else {
            try check("set the mode of") { fchmod(descriptor.rawValue, 0o666 & ~Self.processMask()) }
        }
        if isSynced { try Self.sync(descriptor, path, "sync") }
        // Without a name it lasts as long as it is open: a duplicate tells what closing it would.
        isOpen = !isNamed
        let closing = isNamed ? descriptor.rawValue : dup(descriptor.rawValue)
        // Linux has closed the descriptor also when it reports EINTR.
        guard closing < 0 || close(closing) == 0 || errno == EINTR else {
            throw .file(action: "close", path: path, Errno(rawValue: errno))
        }
    }

    /// The second half of `commit`: the name, which is on the disk when the folder is synced.
    public consuming func publish() throws(Failure) {
        let (path, temporary, isReplacing) = (path, temporary, isReplacing)
        let unnamed = isNamed ? nil : descriptor
        try TemporaryFiles.finish(temporary) { () throws(Failure) in
            if let unnamed {
                guard try Self.link(unnamed, to: path, isReplacing: isReplacing, through: temporary) else { return }
            }
            try Self.check("create", path) { Self.rename(temporary, to: path, isReplacing: isReplacing) }
        }
    }

    /// Gives a file its name, or, if something is to be replaced, which linking never does, the one that it is renamed from.
    ///
    /// - Returns: whether it is to be renamed.
    private static func link(
        _ descriptor: FileDescriptor, to path: FilePath, isReplacing: Bool, through temporary: FilePath
    ) throws(Failure) -> Bool {
        let link = { (path: FilePath) in path.withPlatformString { sluice_link_unnamed(descriptor.rawValue, $0) } }
        do throws(Failure) { try check("create", path) { link(path) } } catch {
            guard isReplacing, case .file(_, _, .fileExists) = error else { throw error }
            do throws(Errno) { _ = try TemporaryFiles.create(temporary) { link(temporary) } } catch {
                throw .file(action: "create", path: path, error)
            }
            return true
        }
        return false
    }

    private static func rename(_ temporary: FilePath, to path: FilePath, isReplacing: Bool) -> Int32 {
        path.withPlatformString { target in
            temporary.withPlatformString { temporary in
                isReplacing ? Glibc.rename(temporary, target) : sluice_rename_exclusively(temporary, target)
            }
        }
    }

    private func copyMetadata(from source: FileDescriptor) throws(Failure) {
        var status = stat()
        try check("read the metadata for") { fstat(source.rawValue, &status) }
        // A set-user-ID bit is for the content that the source has, not for another.
        var mode = status.st_mode & 0o777
        if fchown(descriptor.rawValue, status.st_uid, status.st_gid) != 0,
            fchown(descriptor.rawValue, uid_t.max, status.st_gid) != 0
        {
            // In another group are others: everybody gets what both had.
            let shared = mode >> 3 & mode & 0o7
            mode = mode & 0o700 | shared << 3 | shared
        }
        sluice_copy_attributes(source.rawValue, descriptor.rawValue)
        try check("set the mode of") { fchmod(descriptor.rawValue, mode) }
        try check("set the times of") {
            withUnsafeBytes(of: (status.st_atim, status.st_mtim)) {
                futimens(descriptor.rawValue, $0.assumingMemoryBound(to: timespec.self).baseAddress)
            }
        }
    }

    private borrowing func check(_ action: String, _ call: () -> Int32) throws(Failure) {
        try Self.check(action, path, call)
    }

    private static func check(_ action: String, _ path: FilePath, _ call: () -> Int32) throws(Failure) {
        while call() != 0 {
            if errno != EINTR { throw .file(action: action, path: path, Errno(rawValue: errno)) }
        }
    }

    /// `.NAME.RANDOM.tmp`, so short that the file system takes it; the 64 random bits are nobody else's.
    private static func temporaryName(beside path: FilePath) throws(Failure) -> FilePath {
        guard let name = path.lastComponent, name.kind == .regular else {
            throw .file(action: "create", path: path, .isDirectory)
        }
        let stem = String(decoding: name.string.utf8.prefix(200), as: UTF8.self)
        var random: UInt64 = 0
        guard sluice_random(&random, MemoryLayout.size(ofValue: random)) else {
            throw .file(action: "create", path: path, Errno(rawValue: errno))
        }
        let component = FilePath.Component(".\(stem).\(String(random, radix: 36)).tmp")
        return component.map { path.removingLastComponent().appending($0) } ?? path
    }

    /// Nil where the file system does not have such files.
    private static func createUnnamed(beside path: FilePath) -> FileDescriptor? {
        let descriptor = folder(of: path).withPlatformString(sluice_create_unnamed)
        return descriptor < 0 ? nil : FileDescriptor(rawValue: descriptor)
    }

    private static func create(_ temporary: FilePath, for path: FilePath) throws(Failure) -> FileDescriptor {
        do throws(Errno) {
            let descriptor = try TemporaryFiles.create(temporary) {
                temporary.withPlatformString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
            }
            return FileDescriptor(rawValue: descriptor)
        } catch {
            throw .file(action: "create", path: path, error)
        }
    }

    /// The mask of new files' modes, without `umask`, which would change it for every thread.
    private static func processMask() -> mode_t {
        for line in readText("/proc/self/status").split(separator: "\n") where line.hasPrefix("Umask:") {
            let digits = line.dropFirst("Umask:".count).drop { $0.isWhitespace }
            return mode_t(digits, radix: 8) ?? 0o022
        }
        return 0o022
    }

    private static func folder(of path: FilePath) -> FilePath {
        let parent = path.removingLastComponent()
        return parent.isEmpty ? FilePath(".") : parent
    }

    /// Whether the folder of a file may be read, and so be opened to be synced.
    public static func canSyncFolder(of path: FilePath) -> Bool {
        folder(of: path).withPlatformString { access($0, R_OK) } == 0
    }

    /// Waits until the names in the folder of a file are on the disk.
    public static func syncFolder(of path: FilePath) throws(Failure) {
        guard let descriptor = try openFolder(of: path) else { return }
        defer { try? descriptor.close() }
        try sync(descriptor, path, "sync the folder of")
    }

    /// Nil for a folder that may be written but not read, which can't be opened to be synced.
    static func openFolder(of path: FilePath) throws(Failure) -> FileDescriptor? {
        let descriptor = folder(of: path).withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        if descriptor >= 0 { return FileDescriptor(rawValue: descriptor) }
        if errno == EACCES { return nil }
        throw .file(action: "sync the folder of", path: path, Errno(rawValue: errno))
    }

    private static func sync(_ descriptor: FileDescriptor, _ path: FilePath, _ action: String) throws(Failure) {
        try check(action, path) {
            let code = fsync(descriptor.rawValue)
            // Some file systems have nothing to sync, and say so.
            return code != 0 && (errno == EINVAL || errno == ENOTSUP || errno == EROFS) ? 0 : code
        }
    }
}
