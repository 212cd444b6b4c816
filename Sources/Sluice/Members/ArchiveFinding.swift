/// Finds the members of the archive in a compressed file: by the index in it, by one in a file of its own, or by
/// decoding everything once.
struct ArchiveFinding {
    /// What was found, and how.
    struct Outcome {
        var members: ArchiveIndex
        /// Where the frames are, if that is known by now.
        var frames: FrameIndex?
        var finding: FrameFinding
        /// The most bytes that the search held.
        var memory = 0
    }

    let decompression: Decompression
    /// Keeps what decoding everything has found.
    let indexFile: IndexFile?

    /// - Throws: `archive` if the content is no tar archive, or the source is no file.
    func find(on engine: Engine) throws(Failure) -> Outcome {
        let source = engine.reader.source
        guard source.isFile, source.size != nil else { throw .archive("members can only be found in a regular file") }
        if source.foreignFormat == nil, let members = try source.archiveIndex() {
            return Outcome(members: members, finding: .seekTable, memory: members.memory)
        }
        if let kept = try indexFile?.read(for: source), let members = kept.members {
            return Outcome(members: members, frames: kept.frames, finding: .indexFile, memory: members.memory)
        }
        return try survey(on: engine)
    }

    private func survey(on engine: Engine) throws(Failure) -> Outcome {
        let scan = ArchiveScan()
        let (survey, memory) = try engine.survey(decompression, through: scan)
        let frame = try scan.finish()
        guard let members = ArchiveIndex(frame) else { throw ArchiveIndex.damage }
        let source = engine.reader.source
        let frames = survey.index(to: source.size ?? 0)
        if let indexFile {
            guard let frames else { throw .onlyForward(isFile: true) }
            try indexFile.write(frames, of: source, members: frame)
        }
        return Outcome(members: members, frames: frames, finding: .survey, memory: memory + members.memory)
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
