/// The members of the archive in a compressed file, and how they were found.
struct ArchiveFinding {
    let members: ArchiveIndex
    /// Where the frames are, if that is known by now.
    var frames: FrameIndex?
    let finding: FrameFinding
    /// The most bytes that the search held.
    let memory: Int

    /// Finds them by the index in the file, by one in a file of its own, or by decoding everything once.
    ///
    /// - Parameter indexFile: keeps what decoding everything has found.
    /// - Throws: `archive` if the content is no tar archive, or the source is no file.
    static func find(
        on engine: Engine, _ decompression: Decompression, _ indexFile: IndexFile?
    ) throws(Failure) -> ArchiveFinding {
        let source = engine.reader.source
        guard source.isFile, let size = source.size else {
            throw .archive("members can only be found in a regular file")
        }
        if source.foreignFormat == nil, let members = try source.archiveIndex() {
            return ArchiveFinding(members: members, finding: .seekTable, memory: members.memory)
        }
        if let kept = try indexFile?.read(for: source), let members = kept.members {
            return ArchiveFinding(
                members: members, frames: kept.frames, finding: .indexFile, memory: members.memory)
        }
        let scan = ArchiveScan()
        let (survey, memory) = try engine.survey(decompression, through: scan)
        let frame = try scan.finish()
        guard let members = ArchiveIndex(frame) else { throw ArchiveIndex.damage }
        let frames = survey.index(to: size)
        if let indexFile {
            guard let frames else { throw .onlyForward(isFile: true) }
            try indexFile.write(frames, of: source, members: frame)
        }
        return ArchiveFinding(
            members: members, frames: frames, finding: .survey, memory: memory + members.memory)
    }
}

/// Follows the headers of an archive, and writes nothing.
private final class ArchiveScan: ContentFilter {
    private let state = Locked((scanner: TarScanner(), index: ArchiveIndexWriter()))

    func take(_ bytes: Bytes) throws(Failure) -> Bytes {
        try bytes.forEachRegion { region throws(Failure) in
            try state.withLock { state throws(Failure) in
                var rest = region
                while let member = try state.scanner.next(in: &rest) { try state.index.append(member) }
            }
        }
        return Bytes()
    }

    /// The index of all members.
    func finish() throws(Failure) -> [UInt8] {
        try state.withLock { state throws(Failure) in
            try state.scanner.finish()
            return try state.index.finish(contentSize: state.scanner.offset)
        }
    }
}
