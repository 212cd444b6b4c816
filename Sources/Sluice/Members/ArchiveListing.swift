/// Lists the members of the archive in a compressed file, and writes nothing.
struct ArchiveListing: DecodingOperation {
    var decompression: Decompression
    let indexFile: IndexFile?
    let visit: @Sendable (ArchiveMember) throws(Failure) -> Void
    let didEnd: @Sendable (Result<FrameFinding, Failure>) throws(Failure) -> Void

    func run(on engine: Engine) throws(Failure) -> Int {
        let (finding, memory): (FrameFinding, Int)
        do throws(Failure) {
            (finding, memory) = try list(on: engine)
        } catch {
            try didEnd(.failure(error))
            throw error
        }
        try didEnd(.success(finding))
        return memory
    }

    private func list(on engine: Engine) throws(Failure) -> (FrameFinding, memory: Int) {
        let finding = ArchiveFinding(decompression: decompression, indexFile: indexFile)
        if indexFile != nil {
            // It is to have the frames too.
            let found = try finding.find(on: engine)
            try found.members.visit(visit)
            return (found.finding, found.memory)
        }
        if let found = try ChunkedSearch(source: engine.reader.source).index() {
            try found.members.visit(visit)
            return (.none, found.memory)
        }
        if let known = try finding.known(to: engine) {
            try known.members.visit(visit)
            return (known.finding, known.memory)
        }
        return (.survey, try finding.survey(on: engine, visit: visit).memory)
    }
}

extension Action {
    /// Finds the members of the tar archive that a compressed file is: by its index of them, by an index file, or by
    /// decoding everything once.
    ///
    /// - Parameters:
    ///   - indexFile: keeps what decoding everything has found.
    ///   - visit: receives the members in their order, as soon as they are found.
    ///   - didEnd: receives how they were found, or why no more follow; what it throws instead counts.
    package static func listArchive(
        _ decompression: Decompression = Decompression(), indexFile: IndexFile? = nil,
        visit: @escaping @Sendable (ArchiveMember) throws(Failure) -> Void,
        didEnd: @escaping @Sendable (Result<FrameFinding, Failure>) throws(Failure) -> Void = { _ in }
    ) -> Action {
        Action(
            operation: ArchiveListing(
                decompression: decompression, indexFile: indexFile, visit: visit, didEnd: didEnd))
    }
}
