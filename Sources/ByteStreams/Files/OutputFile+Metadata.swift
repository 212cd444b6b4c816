internal import Glibc
package import SystemPackage

extension OutputFile {
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

    /// Gives the file the owner, mode, times and attributes of another one.
    func copyMetadata(from source: FileDescriptor) throws(Failure) -> Losses {
        var status = stat()
        try Failure.check("read the metadata for", target) { fstat(source.rawValue, &status) }
        // A set-user-ID bit is meant for the content of the source only.
        var mode = status.st_mode & 0o777
        let losses = giveAway(as: status).union(Losses(rawValue: descriptor.copyAttributes(of: source)))
        if !losses.isDisjoint(with: [.group, .accessList]) {
            // Another group has other members, and without the list the group's bits mean something else: group and
            // others both get the rights that both had.
            let shared = mode >> 3 & mode & 0o7
            mode = mode & 0o700 | shared << 3 | shared
        }
        try Failure.check("set the mode of", target) { fchmod(descriptor.rawValue, mode) }
        try Failure.check("set the times of", target) {
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
}

extension OutputFile {
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
