/// Lists the members of the tar archive in a compressed file: by the index in it, by an index file, or by decoding
/// everything once. Nothing is written.
package struct ArchiveListing: DecodingOperation {
    package var decompression: Decompression
    private let indexFile: IndexFile?
    private let visit: @Sendable (ArchiveMember) throws(Failure) -> Void
    private let didEnd: @Sendable (Result<FrameSearchMethod, Failure>) throws(Failure) -> Void

    /// - Parameters:
    ///   - indexFile: keeps the result of decoding everything.
    ///   - visit: receives the members in their order, as soon as they are found.
    ///   - didEnd: receives how they were found, or why no more follow; an error that it throws takes precedence.
    package init(
        _ decompression: Decompression = Decompression(), indexFile: IndexFile? = nil,
        visit: @escaping @Sendable (ArchiveMember) throws(Failure) -> Void,
        didEnd: @escaping @Sendable (Result<FrameSearchMethod, Failure>) throws(Failure) -> Void = { _ in }
    ) {
        self.decompression = decompression
        self.indexFile = indexFile
        self.visit = visit
        self.didEnd = didEnd
    }

    package func run(on engine: Engine) throws(Failure) {
        let outcome = Result { () throws(Failure) in try list(on: engine) }
        try didEnd(outcome)
        _ = try outcome.get()
    }

    private func list(on engine: Engine) throws(Failure) -> FrameSearchMethod {
        let search = ArchiveSearch(decompression: decompression, indexFile: indexFile)
        // An index file must list the frames, too.
        let canBeSearched = engine.reader.source.canBeSearched
        let known =
            try indexFile != nil ? search.find(on: engine) : canBeSearched ? search.known(to: engine) : nil
        guard let found = known else {
            _ = try search.scanContent(on: engine, visit: visit)
            return .decoding
        }
        try found.members.visit(latch: engine.latch, visit)
        try found.members.checkEnd()
        return found.method
    }
}

/// The search for the members of the archive in a compressed file: by the index in it, by a separate index file, or by
/// decoding everything once.
struct ArchiveSearch {
    /// What was found, and how.
    struct Outcome {
        var members: ArchiveIndex
        /// Where the frames are, if that is known by now.
        var frames: FrameIndex?
        var method: FrameSearchMethod
    }

    let decompression: Decompression
    /// Keeps the result of decoding everything.
    let indexFile: IndexFile?

    /// - Throws: `archive` if the content is not a tar archive, or the source is not a file.
    func find(on engine: Engine) throws(Failure) -> Outcome {
        if let known = try known(to: engine) { return known }
        let writer = Locked(ArchiveIndexWriter())
        let (collector, contentSize) = try scanContent(on: engine) { member throws(Failure) in
            try writer.withLock { writer throws(Failure) in try writer.append(member) }
        }
        let frame = try writer.withLock { writer throws(Failure) in try writer.finish(contentSize: contentSize) }
        guard let members = ArchiveIndex(frame) else { throw ArchiveIndex.damage }
        let source = engine.reader.source
        let frames = collector.index(to: source.size ?? 0)
        if let indexFile {
            guard let frames else { throw .onlyForward(isFile: true) }
            try indexFile.write(frames, of: source, marks: collector.marks, members: frame)
        }
        return Outcome(members: members, frames: frames, method: .decoding)
    }

    /// What an index says; nil if there is none.
    func known(to engine: Engine) throws(Failure) -> Outcome? {
        let source = engine.reader.source
        guard source.canBeSearched else { throw .onlyForward(isFile: source.isRandomAccess) }
        let input = CompressedInput(source)
        if input.foreignFormat == nil, let members = try input.archiveIndex() {
            return Outcome(members: members, method: .seekTable)
        }
        guard let kept = try indexFile?.read(for: source), let members = kept.members else { return nil }
        return Outcome(members: members, frames: kept.frames, method: .indexFile)
    }

    /// Decodes everything.
    ///
    /// - Parameter visit: receives the members as they come.
    func scanContent(
        on engine: Engine, visit: @escaping @Sendable (ArchiveMember) throws(Failure) -> Void
    ) throws(Failure) -> (collector: IndexCollector, contentSize: UInt64) {
        let scan = ArchiveScan(visit: visit)
        let collector = try engine.scanContent(decompression, through: scan)
        return (collector, try scan.finish())
    }
}

/// Follows the headers of an archive, and writes nothing.
private final class ArchiveScan: ContentFilter {
    private let scanner = Locked(TarScanner())
    private let visit: @Sendable (ArchiveMember) throws(Failure) -> Void

    init(visit: @escaping @Sendable (ArchiveMember) throws(Failure) -> Void) { self.visit = visit }

    func take(_ bytes: Bytes, isContinued: Bool) throws(Failure) -> Bytes {
        try bytes.forEachRegion { region throws(Failure) in
            try scanner.withLock { scanner throws(Failure) in
                var rest = region
                while let member = try scanner.next(in: &rest) { try visit(member) }
            }
        }
        return Bytes()
    }

    /// The size of the archive in bytes, including what follows its last member.
    func finish() throws(Failure) -> UInt64 {
        try scanner.withLock { scanner throws(Failure) in
            try scanner.finish()
            return scanner.offset
        }
    }
}
