/// Lists the members of the archive in a compressed file, and writes nothing.
struct ArchiveListing: DecodingOperation {
    var decompression: Decompression
    let indexFile: IndexFile?
    let didFind: @Sendable (ArchiveIndex, FrameFinding) throws(Failure) -> Void

    func run(on engine: Engine) throws(Failure) -> Int {
        // An index file is to have the frames too.
        if indexFile == nil, let found = try ChunkedSearch(source: engine.reader.source).index() {
            try didFind(found.members, .none)
            return found.memory
        }
        let found = try ArchiveFinding.find(on: engine, decompression, indexFile)
        try didFind(found.members, found.finding)
        return found.memory
    }
}

extension Action {
    /// Finds the members of the tar archive that a compressed file is: by its index of them, by an index file, or by
    /// decoding everything once.
    ///
    /// - Parameters:
    ///   - indexFile: keeps what decoding everything has found.
    ///   - didFind: receives the members.
    package static func listArchive(
        _ decompression: Decompression = Decompression(), indexFile: IndexFile? = nil,
        didFind: @escaping @Sendable (ArchiveIndex, FrameFinding) throws(Failure) -> Void
    ) -> Action {
        Action(operation: ArchiveListing(decompression: decompression, indexFile: indexFile, didFind: didFind))
    }
}
