internal import Glibc
package import SystemPackage

extension OutputFile {
    /// Metadata that a file could not get.
    package struct Losses: OptionSet, Sendable {
        package let rawValue: Int32
        /// Extended attributes of the user namespace (`SLUICE_LOST_ATTRIBUTES`).
        package static let attributes = Losses(rawValue: 1)
        /// The access control list (`SLUICE_LOST_ACCESS_LIST`).
        package static let accessList = Losses(rawValue: 2)
        package static let owner = Losses(rawValue: 4)
        package static let group = Losses(rawValue: 8)
        package static let mode = Losses(rawValue: 16)
        package static let times = Losses(rawValue: 32)

        package init(rawValue: Int32) { self.rawValue = rawValue }
    }

    /// Gives the file the owner, mode, times and attributes of another one, as far as its file system takes them.
    func copyMetadata(from source: FileDescriptor) throws(Failure) -> Losses {
        var status = stat()
        try Failure.check("read the metadata for", target) { fstat(source.rawValue, &status) }
        // To change them costs more than anything else for a file without content.
        let own = try? FileIdentity(descriptor).status
        var losses: Losses = []
        if own?.st_gid != status.st_gid { losses.note(.group, fchown(descriptor.rawValue, uid_t.max, status.st_gid)) }
        losses.formUnion(Losses(rawValue: descriptor.copyAttributes(of: source)))
        // A set-user-ID bit is meant for the content of the source only.
        var mode = status.st_mode & 0o777
        if !losses.isDisjoint(with: [.group, .accessList]) {
            // Another group has other members, and without the list the group's bits mean something else: group and
            // others both get the rights that both had.
            let shared = mode >> 3 & mode & 0o7
            mode = mode & 0o700 | shared << 3 | shared
        }
        losses.formUnion(setMode(mode))
        withUnsafeBytes(of: (status.st_atim, status.st_mtim)) {
            let times = $0.assumingMemoryBound(to: timespec.self).baseAddress
            losses.note(.times, futimens(descriptor.rawValue, times))
        }
        // The last, since a process that may give files away need not be able to change those of others.
        if own?.st_uid != status.st_uid { losses.note(.owner, fchown(descriptor.rawValue, status.st_uid, gid_t.max)) }
        return losses
    }

    /// Sets the mode; a file that can't get it stays readable by its owner only.
    func setMode(_ mode: mode_t) -> Losses {
        var losses: Losses = []
        losses.note(.mode, fchmod(descriptor.rawValue, mode))
        return losses
    }
}

extension OutputFile.Losses {
    /// Notes what is lost if a call has failed, for whatever reason: neither content nor name depend on it.
    fileprivate mutating func note(_ lost: Self, _ result: Int32) { if result != 0 { insert(lost) } }
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
            return code != 0 && [EINVAL, ENOTSUP, ENOSYS, EROFS].contains(errno) ? 0 : code
        }
    }
}
