internal import Glibc
package import SystemPackage

/// The users who may read each of several files. Nobody else may read an output that has content from all of them.
package struct CommonAccess: Sendable {
    private var groupReads = true
    private var othersRead = true
    /// The group of the files.
    private var group: gid_t?
    private var isOneGroup = true

    /// That of no file: everybody.
    package init() {}

    /// Removes the users who may not read this file. Pipes and devices are ignored.
    package mutating func narrow(to file: FileDescriptor) {
        guard let status = try? FileIdentity(file).status else {
            (groupReads, othersRead) = (false, false)
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return }
        // An access control list may deny single users what the mode grants.
        let readsByList = file.rightsByList & 0o4 != 0
        groupReads = groupReads && readsByList && status.st_mode & S_IRGRP != 0
        othersRead = othersRead && readsByList && status.st_mode & S_IROTH != 0
        isOneGroup = isOneGroup && group ?? status.st_gid == status.st_gid
        group = status.st_gid
    }

    /// Whether anybody is left out.
    var isNarrowed: Bool { !groupReads || !othersRead }

    /// The bits of the mode that a file may have.
    func mode(for output: FileDescriptor) -> mode_t {
        if !isNarrowed { return 0o777 }
        // Members of one group are others to a file of another group.
        guard isOneGroup, group == (try? FileIdentity(output).status.st_gid) else { return 0o700 }
        return 0o700 | (groupReads ? 0o070 : 0) | (othersRead ? 0o007 : 0)
    }
}
