/// Lists the members of the archive in a compressed file, and writes nothing.
struct ArchiveListing: DecodingOperation {
    var decompression: Decompression
    let indexFile: IndexFile?
    let visit: @Sendable (ArchiveMember) throws(Failure) -> Void
    let didEnd: @Sendable (Result<FrameFinding, Failure>) throws(Failure) -> Void

    func run(on engine: Engine) throws(Failure) -> Int {
        let outcome = Result { () throws(Failure) in try list(on: engine) }
        try didEnd(outcome.map { $0.finding })
        return try outcome.get().memory
    }

    private func list(on engine: Engine) throws(Failure) -> (finding: FrameFinding, memory: Int) {
        let finding = ArchiveFinding(decompression: decompression, indexFile: indexFile)
        // An index file is to have the frames too.
        let known = try indexFile == nil ? finding.known(to: engine) : finding.find(on: engine)
        guard let found = try known == nil ? TarSplitSearch(source: engine.reader.source).find() : known else {
            return (.survey, try finding.survey(on: engine, visit: visit).memory)
        }
        try found.members.visit(visit)
        return (found.finding, found.memory)
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
