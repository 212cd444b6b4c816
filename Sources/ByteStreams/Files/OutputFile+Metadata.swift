internal import Glibc
internal import SystemPackage

extension OutputFile {
    /// Metadata that could not be copied.
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

    /// Copies the owner, mode, times and attributes of a source, as far as the file system supports them, so that
    /// whoever may not read the source can't read the file. Without a single source, it gets the mode of a new file, as
    /// far as those that its content comes from have it.
    ///
    /// Until here only its owner can access the file. Whatever is lost narrows the mode, which comes after everything
    /// that it depends on.
    func setMetadata(from source: FileDescriptor?, within access: CommonAccess) throws(Failure) -> Losses {
        guard let source else {
            // A list that the folder gave it may name users whom no mode leaves out.
            let isLost = access.isNarrowed && !descriptor.removeAccessList()
            let mode = isLost ? 0o700 : access.mode(for: descriptor)
            return setMode(folder.modeOfNewFile & mode).union(isLost ? .accessList : [])
        }
        var status = stat()
        try Failure.check("read the metadata for", target) { fstat(source.rawValue, &status) }
        // For an empty file, changing owner or group would cost more than everything else, so change only what differs.
        let own = try? FileIdentity(descriptor).status
        var losses: Losses = []
        if own?.st_gid != status.st_gid { losses.note(.group, fchown(descriptor.rawValue, uid_t.max, status.st_gid)) }
        // Copy neither set-user-ID nor set-group-ID: they are meant for the content of the source only.
        var mode = status.st_mode & 0o777
        // The rights that group and others have both; an access control list may give some of them less.
        var common = mode >> 3 & mode & 0o7
        // Another group has other members, for whom the list was not made.
        losses.formUnion(
            Losses(
                rawValue: descriptor.copyAttributes(
                    of: source, keepsAccessList: !losses.contains(.group), common: &common)))
        if !losses.isDisjoint(with: [.group, .accessList]) { mode = mode & 0o700 | common << 3 | common }
        losses.formUnion(setMode(mode))
        withUnsafeBytes(of: (status.st_atim, status.st_mtim)) {
            let times = $0.assumingMemoryBound(to: timespec.self).baseAddress
            losses.note(.times, futimens(descriptor.rawValue, times))
        }
        // Comes last: a process that may give files away need not be allowed to change files of others.
        if own?.st_uid != status.st_uid { losses.note(.owner, fchown(descriptor.rawValue, status.st_uid, gid_t.max)) }
        return losses
    }

    /// Sets the mode; a file whose mode can't be set stays accessible by its owner only.
    private func setMode(_ mode: mode_t) -> Losses {
        var losses: Losses = []
        losses.note(.mode, fchmod(descriptor.rawValue, mode))
        return losses
    }
}

extension OutputFile.Losses {
    /// Records a loss if a call has failed, for whatever reason: neither content nor name depends on it.
    fileprivate mutating func note(_ lost: Self, _ result: Int32) { if result != 0 { insert(lost) } }
}
