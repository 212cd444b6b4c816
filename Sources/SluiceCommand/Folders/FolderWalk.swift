import SluiceEngine

/// Iterates over the files beneath a directory. It holds one listing for each directory on the current path, however
/// many files there are.
///
/// Symbolic links are followed only with `-f`, and never in a cycle.
struct FolderWalk {
    private let followsLinks: Bool
    private var levels: [(folder: Folder, listing: FolderListing)] = []
    /// The number of links and other non-files that were skipped.
    private(set) var skipped = 0

    /// - Throws: why the directory can't be read.
    init(_ operand: Operand, followsLinks: Bool) throws(Complaint) {
        self.followsLinks = followsLinks
        try enter(operand, isLink: followsLinks)
    }

    /// - Throws: why a directory can't be read; the next call continues after it.
    mutating func next() throws(Complaint) -> Operand? {
        while let level = levels.indices.last {
            guard let entry = levels[level].listing.next() else {
                levels.removeLast()
                continue
            }
            let folder = levels[level].folder
            let operand = Operand(entry.name, in: folder)
            switch entry.kind {
            case .file where !TemporaryFiles.includes(entry.name): return operand
            case .file: continue
            case .directory: try enter(operand, isLink: false)
            case .link where followsLinks:
                let target = try? operand.identity(followingLinks: true)
                // Opening a dangling link will report it.
                if target == nil || target?.kind == .file { return operand }
                if target?.kind == .directory { try enter(operand, isLink: true) } else { skipped += 1 }
            case .link, .device, .fifo, .socket, .other: skipped += 1
            }
        }
        return nil
    }

    private mutating func enter(_ operand: Operand, isLink: Bool) throws(Complaint) {
        do throws(Errno) {
            let folder = try Folder(operand, isLink: isLink)
            if levels.contains(where: { $0.folder.identity.isSameFile(as: folder.identity) }) {
                throw Errno.tooManySymbolicLinkLevels
            }
            levels.append((folder, try FolderListing(folder)))
        } catch .tooManySymbolicLinkLevels {
            throw Complaint(operand.path, "leads back to a directory above it: not followed")
        } catch {
            throw Complaint(operand.path, "can't read the directory: \(error.sentence)")
        }
    }
}
