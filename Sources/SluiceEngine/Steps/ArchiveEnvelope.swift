/// The envelope of a stream with an index of the members of its content, before the seek table.
struct ArchiveEnvelope: TableEnvelope {
    private var stream: StreamEnvelope
    private let index: Locked<ArchiveIndexWriter>
    private let didStop: @Sendable (_ reason: String, _ offset: UInt64) -> Void
    private var contentSize: UInt64 = 0
    private var checkpoints: [UInt32] = []

    /// - Parameters:
    ///   - index: complete when the last frame has come.
    ///   - didStop: receives why there is no index.
    init(
        _ stream: StreamEnvelope, _ index: Locked<ArchiveIndexWriter>,
        didStop: @escaping @Sendable (_ reason: String, _ offset: UInt64) -> Void
    ) {
        (self.stream, self.index, self.didStop) = (stream, index, didStop)
    }

    var looksCompleteAfterFirst: Bool { stream.looksCompleteAfterFirst }

    mutating func append(_ frame: ChunkResult) throws(Failure) -> [UInt8] {
        contentSize += UInt64(frame.sourceSize)
        checkpoints += frame.checkpoints
        return try stream.append(frame)
    }

    var hasTable: Bool { stream.hasTable }
    mutating func beginTable() -> [UInt8] { stream.beginTable() }
    mutating func append(skippable size: Int) { stream.append(skippable: size) }
    func encodedTable() -> [UInt8] { stream.encodedTable() }

    mutating func lastFrames() throws(Failure) -> [UInt8] {
        guard let frame = try indexFrame() else { return [] }
        return stream.append(SeekTable.Entry(skippable: frame.count)) + frame
    }

    /// Nil if nothing could be indexed.
    private func indexFrame() throws(Failure) -> [UInt8]? {
        do throws(Failure) {
            return try index.withLock { [contentSize, checkpoints, didStop] index throws(Failure) in
                let frame = try index.finish(contentSize: contentSize, checkpoints)
                if index.isFull { didStop("more members than an index can hold", index.end) }
                return index.isPartial && index.isEmpty ? nil : frame
            }
        } catch {
            guard error.code == .archive else { throw error }
            didStop(error.message, 0)
            return nil
        }
    }
}
