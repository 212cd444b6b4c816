internal import CKernel
internal import Glibc
public import SystemPackage

/// A file that appears under its name only when it is whole.
///
/// Until `commit` it is a `TemporaryFile`. Whatever was under the name stays until the new file is complete and on the
/// disk.
public struct OutputFile: ~Copyable, Sendable {
    private var file: TemporaryFile
    private let path: FilePath
    private let isReplacing: Bool
    /// Whether it stays readable by its owner only, if it gets no metadata.
    package var isPrivate = false

    /// What of the metadata of its source a file could not get.
    public struct Losses: OptionSet, Sendable {
        /// The losses as bits.
        public let rawValue: Int32

        /// Extended attributes of the user namespace.
        public static let attributes = Losses(rawValue: Int32(SLUICE_LOST_ATTRIBUTES))
        /// The access control list.
        public static let accessList = Losses(rawValue: Int32(SLUICE_LOST_ACCESS_LIST))
        /// The owner.
        public static let owner = Losses(rawValue: 4)
        /// The group.
        public static let group = Losses(rawValue: 8)

        /// The losses of these bits.
        public init(rawValue: Int32) { self.rawValue = rawValue }
    }

    /// What brings a file to the disk.
    package enum Syncing: Sendable {
        /// The kernel, when it likes.
        case later
        /// It is synced by itself.
        case alone
        /// Whoever made it syncs the whole file system, and hears from that what closing the file would tell.
        case together
    }

    /// Creates the file, readable by its owner only.
    ///
    /// - Parameters:
    ///   - path: the name that it gets.
    ///   - isReplacing: whether a file of that name may be replaced; otherwise `commit` fails if there is one.
    /// - Throws: `file`.
    public init(at path: FilePath, isReplacing: Bool) throws(Failure) {
        try self.init(at: path, isReplacing: isReplacing, isNamed: false)
    }

    /// Creates the file, to be read back before it has its name.
    ///
    /// - Parameter isReplacing: whether a file of that name may be replaced; otherwise `commit` fails if there is one.
    /// - Throws: `file`.
    package init(readableAt path: FilePath, isReplacing: Bool) throws(Failure) {
        try self.init(at: path, isReplacing: isReplacing, isNamed: false, isReadable: true)
    }

    /// Goes on with what an earlier run has left of the file, under the name `.NAME.part`, or creates it; it is left
    /// again if this run fails.
    ///
    /// - Parameters:
    ///   - isReplacing: whether a file of its final name may be replaced; otherwise `commit` fails if there is one.
    ///   - startsOver: whether what is left there gives way if it is nothing that can be gone on with.
    /// - Throws: `file`, also if what is left there is not ours alone; `isBeingMade` if another process is at it.
    package init(resuming path: FilePath, isReplacing: Bool, startsOver: Bool = false) throws(Failure) {
        file = try TemporaryFile(resuming: path, startsOver: startsOver)
        self.path = path
        self.isReplacing = isReplacing
    }

    /// Of a file that is whole already, under another name in the same folder, which it keeps if it does not get this.
    ///
    /// - Parameter descriptor: stays open.
    package init(
        finishing descriptor: FileDescriptor, _ name: FilePath, as path: FilePath, in folder: OpenFolder,
        isReplacing: Bool
    ) throws(Failure) {
        file = try TemporaryFile(finishing: descriptor, name, as: path, in: folder)
        self.path = path
        self.isReplacing = isReplacing
    }

    /// - Parameters:
    ///   - isNamed: whether it has another name until then in any case.
    ///   - isReadable: whether it can be read back.
    init(at path: FilePath, isReplacing: Bool, isNamed: Bool, isReadable: Bool = false) throws(Failure) {
        file = try TemporaryFile(for: path, isNamed: isNamed, isReadable: isReadable)
        self.path = path
        self.isReplacing = isReplacing
    }

    /// To be written from the start.
    public var descriptor: FileDescriptor { file.descriptor }

    /// How the file is made, if it is kept unfinished.
    package var note: ResumeNote? { file.note }

    /// Gives the file its metadata and its name.
    ///
    /// - Parameters:
    ///   - source: an open file whose owner, mode, times and attributes it gets; nil for the mode of a new file.
    ///   - isSynced: whether to wait until file and name are on the disk.
    /// - Returns: what of the metadata it did not get.
    /// - Throws: `file`. Unless the name was given and only the folder could not be synced, nothing is left behind.
    @discardableResult
    public consuming func commit(
        metadataOf source: FileDescriptor? = nil, isSynced: Bool = true
    ) throws(Failure) -> Losses {
        try commit(metadataOf: source, isSynced: isSynced) { _ in true }
    }

    /// The same, where somebody is asked.
    ///
    /// - Parameters:
    ///   - source: an open file whose owner, mode, times and attributes it gets; nil for the mode of a new file.
    ///   - isSynced: whether to wait until file and name are on the disk.
    ///   - mayReplace: asked before a file of that name is replaced, with what that is, or nil if it has gone.
    /// - Returns: what of the metadata it did not get.
    /// - Throws: `file`. Unless the name was given and only the folder could not be synced, nothing is left behind.
    @discardableResult
    package consuming func commit(
        metadataOf source: FileDescriptor?, isSynced: Bool, mayReplace: (FileIdentity?) -> Bool
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
        // What has another mode is not gone on with: that it has one, before it has its name, is a moment only.
        if syncing == .alone, file.note != nil { try Self.sync(descriptor, path, "sync") }
        var losses: Losses = []
        if let source {
            losses = try copyMetadata(from: source)
        } else if !isPrivate {
            try check("set the mode of") { fchmod(descriptor.rawValue, 0o666 & ~Self.modeMask()) }
        }
        if syncing == .alone { try Self.sync(descriptor, path, "sync") }
        if syncing != .together || file.isNamed { try file.close() }
        return losses
    }

    /// The second half of `commit`: the name, which is on the disk when the folder is synced.
    ///
    /// - Parameter mayReplace: asked before a file of that name is replaced, with what that is, or nil if it has gone:
    ///   in the folder where the name is given, and not where the path leads by then.
    /// - Returns: whether it has the name; otherwise another file has it, and this one is gone.
    package consuming func publish(mayReplace: (FileIdentity?) -> Bool = { _ in true }) throws(Failure) -> Bool {
        let note = file.note
        guard try takeName(mayReplace) else { return false }
        note?.remove()
        return true
    }

    private consuming func takeName(_ mayReplace: (FileIdentity?) -> Bool) throws(Failure) -> Bool {
        // To ask for the name tells more than a look at it, which on a network may show what was there before.
        do throws(Failure) {
            if try file.claimName() { return true }
        } catch {
            // Not all file systems that have names only can rename without replacing.
            guard isReplacing, file.isNamed, error != .cancelled else { throw error }
        }
        guard isReplacing, mayReplace(file.occupant) else { return false }
        try file.takeName()
        return true
    }

    private func copyMetadata(from source: FileDescriptor) throws(Failure) -> Losses {
        var status = stat()
        try check("read the metadata for") { fstat(source.rawValue, &status) }
        // A set-user-ID bit is for the content that the source has, not for another.
        var mode = status.st_mode & 0o777
        var losses = giveAway(as: status)
        losses.formUnion(Losses(rawValue: sluice_copy_attributes(source.rawValue, descriptor.rawValue)))
        if !losses.isDisjoint(with: [.group, .accessList]) {
            // In another group are others, and without the list its bits are not the group's: everybody gets what
            // both had.
            let shared = mode >> 3 & mode & 0o7
            mode = mode & 0o700 | shared << 3 | shared
        }
        try check("set the mode of") { fchmod(descriptor.rawValue, mode) }
        try check("set the times of") {
            withUnsafeBytes(of: (status.st_atim, status.st_mtim)) {
                futimens(descriptor.rawValue, $0.assumingMemoryBound(to: timespec.self).baseAddress)
            }
        }
        return losses
    }

    /// Gives the file to the owner and the group of its source, or at least to the group.
    private func giveAway(as source: stat) -> Losses {
        if isOwned(as: source) || fchown(descriptor.rawValue, source.st_uid, source.st_gid) == 0 { return [] }
        var losses: Losses = fchown(descriptor.rawValue, uid_t.max, source.st_gid) == 0 ? [] : .group
        if (try? FileIdentity(descriptor).status)?.st_uid != source.st_uid { losses.insert(.owner) }
        return losses
    }

    /// Whether owner and group need no change, which is the dearest of all for a file without content.
    private func isOwned(as source: stat) -> Bool {
        guard let own = try? FileIdentity(descriptor).status else { return false }
        return own.st_uid == source.st_uid && own.st_gid == source.st_gid
    }

    private borrowing func check(_ action: String, _ call: () -> Int32) throws(Failure) {
        try Failure.check(action, path, call)
    }

    /// The mask of new files' modes, without `umask` on this thread, which would change it for every other one.
    private static func modeMask() -> mode_t {
        for line in readText("/proc/self/status").split(separator: "\n") where line.hasPrefix("Umask:") {
            let digits = line.dropFirst("Umask:".count).drop { $0.isWhitespace }
            if let mask = mode_t(digits, radix: 8) { return mask }
        }
        // Without /proc a thread looks that has a mask of its own; where that is forbidden, only the owner gets the
        // file.
        let mask = sluice_mode_mask()
        return mask >= 0 ? mode_t(mask) : 0o077
    }

    /// Whether its folder may be read, and so be opened to be synced.
    package var canSyncFolder: Bool { file.folder.isReadable }

    /// Waits until the names in the folder of a file are on the disk.
    package static func syncFolder(of path: FilePath) throws(Failure) {
        guard let descriptor = try openFolder(of: path) else { return }
        defer { try? descriptor.close() }
        try sync(descriptor, path, "sync the folder of")
    }

    /// Nil for a folder that may be written but not read, which can't be opened to be synced.
    static func openFolder(of path: FilePath) throws(Failure) -> FileDescriptor? {
        do throws(Errno) {
            let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
            return FileDescriptor(
                rawValue: try systemCall { path.folder.withPlatformString { open($0, flags) } })
        } catch .permissionDenied {
            return nil
        } catch {
            throw .file(action: "sync the folder of", path: path, error)
        }
    }

    /// Waits until what a file holds is on the disk.
    ///
    /// - Parameters:
    ///   - path: what it is called in a failure.
    ///   - action: the same.
    /// - Throws: `file`.
    package static func sync(
        _ descriptor: FileDescriptor, _ path: FilePath, _ action: String = "sync"
    ) throws(Failure) {
        try Failure.check(action, path) {
            let code = fsync(descriptor.rawValue)
            // Some file systems have nothing to sync, and say so.
            return code != 0 && (errno == EINVAL || errno == ENOTSUP || errno == EROFS) ? 0 : code
        }
    }
}
