import SluiceEngine

/// Decompresses each file into one beside it.
struct Decompress: Transfer {
    let activity = Activity("decompress", noun: "decompression", content: .output)
    let optionGroups: OptionGroups = [
        .statistics, .data, .patches, .passing, .ranges, .parts, .recovery, .resuming, .members,
        .endings, .following,
    ]

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console)
        -> any RunOperation
    {
        settings.decompression
    }

    func wholeFileOperation(_ settings: Settings) -> (any WholeFileOperation)? {
        settings.decoding.passesForeign ? nil : settings.decompression
    }
}

/// Decompresses and verifies files, and writes nothing.
struct Check: Transfer {
    let activity = Activity("test", noun: "decompression", content: .output, hasOutput: false)
    let optionGroups: OptionGroups = [.statistics, .data, .patches, .reference, .endings, .parity]

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console) throws(Failure)
        -> any RunOperation
    {
        if settings.compression.parity != nil {
            return try ParityTest(of: source, settings.decompression)
        }
        guard let path = settings.verification.reference else { return settings.decompression }
        return Comparison(with: try Self.reference(path, settings), settings.decompression)
    }

    private static func reference(_ path: FilePath, _ settings: Settings) throws(Failure) -> ComparedFile {
        guard let location = settings.input.remote[path] else { return try ComparedFile(at: path) }
        do throws(Failure) {
            return ComparedFile(at: path, try settings.input.remote.openRanges(path, location, for: "--against"))
        } catch { throw error.about(path) }
    }

    func wholeFileOperation(_ settings: Settings) -> (any WholeFileOperation)? {
        settings.verification.reference == nil && settings.compression.parity == nil ? settings.decompression : nil
    }

    /// Inspects the whole file, beyond the first damage.
    func inspection(of source: Source, after failure: Failure, _ settings: Settings) -> (any RunOperation)? {
        guard failure.isOfDamage, source.isRandomAccess, CompressedInput(source).foreignFormat == nil,
            settings.verification.reference == nil
        else { return nil }
        return Recovery(.drop, settings.decompression)
    }
}

/// Decompresses the intact content of damaged files (`-d --recover`).
struct Recover: Transfer {
    let activity = Decompress().activity
    let optionGroups: OptionGroups = [.statistics, .data, .patches, .json, .recovery, .endings]
    var repairs: Bool { true }

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console) throws(Failure)
        -> any RunOperation
    {
        try Recovery(
            repairing: source, settings.decoding.lossFilling, settings.decompression
        ) { unused in
            let reason =
                switch unused {
                case .memory(let needed):
                    "not repaired by parity that takes \(ByteCount.format(UInt64(needed))) of memory: there is less for it"
                case .bounds: "has more streams with parity, or more that has rotted, than is looked at"
                }
            console.warn("\(name.printable): \(reason)")
        }
    }
}

/// Decompresses ranges of a file's content.
struct Extract: Transfer {
    let activity = Decompress().activity
    let optionGroups = Decompress().optionGroups.subtracting([.resuming, .parts, .following])

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console)
        -> any RunOperation
    {
        Extraction(
            settings.decoding.ranges, settings.decompression, indexFile: settings.indexFile,
            mostHeld: settings.limits.memory.map { $0 - min($0, UInt64(Job.baseMemory)) },
            didFind: { [verbosity = settings.reporting.verbosity] method in
                if let warning = method.warning {
                    console.warn("\(name.printable): \(warning)")
                } else if verbosity > 0 {
                    console.write("\(method.sentence)\n")
                }
            })
    }
}

/// Decompresses the last lines of a file's content.
struct ExtractLines: Transfer {
    let activity = Decompress().activity
    let optionGroups = Extract().optionGroups.union(.records)

    func operation(for source: Source, named name: FilePath, _ settings: Settings, _ console: Console)
        -> any RunOperation
    {
        LineExtraction(last: settings.decoding.tailLines ?? 0, endingIn: settings.lineEnd, settings.decompression)
    }
}

extension Settings {
    /// The index to read or to write, if one is named.
    var indexFile: IndexFile? { decoding.indexFile.map { IndexFile(at: $0, isReplacing: isForced) } }
}

extension FrameSearchMethod {
    /// What is wrong with the seek table; nil if nothing is.
    fileprivate var warning: String? {
        switch self {
        case .headersAgainstTable: "the seek table contradicts the frames: they are found by their headers"
        case .headersWithoutTable:
            "the seek table that its header announces is missing or damaged: frames are found by their headers"
        default: nil
        }
    }

    /// The message with -v.
    var sentence: String {
        switch self {
        case .seekTable: "frames found by the seek table"
        case .headers, .headersAgainstTable, .headersWithoutTable: "frames found from header to header"
        case .indexFile: "frames found by the index"
        case .decoding: "frames found by decoding everything once"
        case .fromStart: "decoding from the start: content before the range is dropped"
        }
    }
}

/// Decompresses members of the tar archive in a file.
struct ExtractMembers: Transfer {
    let activity = Decompress().activity
    let optionGroups = Decompress().optionGroups.subtracting([.passing, .resuming, .parts, .following])

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
