/// Finds the members of the tar archive that a compressed file is: by its index of them, by an index file, or by
/// decoding everything once. Nothing is written.
package struct ArchiveListing: DecodingOperation {
    package var decompression: Decompression
    private let indexFile: IndexFile?
    private let visit: @Sendable (ArchiveMember) throws(Failure) -> Void
    private let didEnd: @Sendable (Result<FrameFinding, Failure>) throws(Failure) -> Void

    /// - Parameters:
    ///   - indexFile: keeps what decoding everything has found.
    ///   - visit: receives the members in their order, as soon as they are found.
    ///   - didEnd: receives how they were found, or why no more follow; what it throws instead counts.
    package init(
        _ decompression: Decompression = Decompression(), indexFile: IndexFile? = nil,
        visit: @escaping @Sendable (ArchiveMember) throws(Failure) -> Void,
        didEnd: @escaping @Sendable (Result<FrameFinding, Failure>) throws(Failure) -> Void = { _ in }
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

    private func list(on engine: Engine) throws(Failure) -> FrameFinding {
        let finding = ArchiveFinding(decompression: decompression, indexFile: indexFile)
        // An index file is to have the frames too.
        let known = try indexFile == nil ? finding.known(to: engine) : finding.find(on: engine)
        guard let found = known else {
            _ = try finding.survey(on: engine, visit: visit)
            return .survey
        }
        try found.members.visit(visit)
        try found.members.checkEnd()
        return found.finding
    }
}
