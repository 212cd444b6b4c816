import Sluice

/// Decompresses members of the tar archive in a file.
struct ExtractMembers: Transfer {
    let activity = Decompress().activity
    let heeds = Decompress().heeds.subtracting([.passing, .resuming, .parts])

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console)
        -> any RunOperation
    {
        MemberExtraction(settings.members.selection, settings.decompression, indexFile: settings.indexFile) {
            [verbosity = settings.reporting.verbosity] found, notices in
            for notice in notices { console.warn("\(name.printable): \(notice.sentence)") }
            if verbosity > 0 { console.write("\(found.sentence)\n") }
        }
    }
}

extension MemberSelection.Notice {
    fileprivate var sentence: String {
        switch self {
        case .repeated(let path): "several members are named \(path.printable): the last one counts"
        case .added(let path, let link): "\(path.printable) is written too, since \(link.printable) is a link to it"
        case .dangling(let path, let link): "\(path.printable) is a link to \(link.printable), which is missing"
        case .unlisted(let offset):
            "the index ends at byte \(offset) of the archive: what follows was not searched"
        }
    }
}
