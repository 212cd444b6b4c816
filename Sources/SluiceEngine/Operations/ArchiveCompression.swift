/// Compresses a tar archive so that its members are found without decompressing it: frames end between members where
/// that shortens them by less than a tenth, and an index lists the members.
///
/// The run fails with `archive` if the source is not a tar archive.
package struct ArchiveCompression: CompressingOperation {
    package var compression: Compression
    private let didStop: @Sendable (_ reason: String, _ offset: UInt64) -> Void
    /// The index of the run.
    private var index = Locked(ArchiveIndexWriter())

    /// - Parameter didStop: receives once why, and from which byte on, members are not in the index.
    package init(
        _ compression: Compression,
        didStop: @escaping @Sendable (_ reason: String, _ offset: UInt64) -> Void = { _, _ in }
    ) {
        self.compression = compression
        self.didStop = didStop
    }

    package func memory(of size: RunSize) -> Int {
        compression.memory(of: size)
            + ContentCutter.memory(chunkSize: compression.options.effectiveFrameSize, slots: size.slots)
            + ArchiveIndexWriter.memory(archive: size.inputSize.map { Int(clamping: $0) } ?? 0)
    }

    package mutating func begin(from source: inout Source, to sink: Sink?) -> (any Envelope)? {
        // A new one for each run: copies of the operation would share the one that they were made with.
        index = Locked(ArchiveIndexWriter())
        return compression.protected(ArchiveEnvelope(StreamEnvelope(compression.options), index, didStop: didStop))
    }

    package func run(on engine: Engine) throws(Failure) {
        let cut = MemberCut(most: compression.options.effectiveFrameSize) { [index] member throws(Failure) in
            try index.withLock { index throws(Failure) in try index.append(member) }
        } didStop: { [index, didStop] damage in
            let end = index.withLock { index in
                index.isPartial = true
                // That an index is full is reported at the end.
                return index.isFull ? nil : index.end
            }
            if let end { didStop(damage.reason, end) }
        }
        try compression.run(on: engine, length: nil, cut: cut, hasCheckpoints: true)
    }
}
