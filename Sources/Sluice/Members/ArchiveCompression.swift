/// Compresses a tar archive to frames that end between its members, and adds an index of these.
struct ArchiveCompression: CompressingOperation {
    var compression: Compression
    private let index = Locked(ArchiveIndexWriter())

    func memory(of size: RunSize) -> Int {
        compression.memory(of: size)
            + ContentCutter.memory(chunkSize: compression.options.effectiveFrameSize, slots: size.slots)
            + ArchiveIndexWriter.memory(archive: size.inputSize.map { Int(clamping: $0) } ?? 0)
    }

    func envelope(from source: Source, to sink: Sink?) -> (any Envelope)? {
        IndexEnvelope(StreamEnvelope(compression.options), index)
    }

    func run(on engine: Engine) throws(Failure) {
        let frameSize = compression.options.effectiveFrameSize
        let cut = MemberCut(most: frameSize) { [index] member throws(Failure) in
            try index.withLock { index throws(Failure) in try index.append(member) }
        }
        try compression.run(on: engine, length: nil, cut: cut, hasCheckpoints: true)
    }
}

extension Action {
    /// Compresses a tar archive, so that its members are found without decompressing it: frames end between them where
    /// that takes less than a tenth of their size, and an index lists them.
    ///
    /// The run fails with `archive` if the source is no tar archive.
    package static func compressArchive(_ compression: Compression) -> Action {
        Action(operation: ArchiveCompression(compression: compression))
    }
}
