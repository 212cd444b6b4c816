/// The envelope of a stream with an index of the members of its content, in front of the seek table.
struct IndexEnvelope: Envelope {
    private var stream: StreamEnvelope
    private let index: Locked<ArchiveIndexWriter>
    private var contentSize: UInt64 = 0
    private var checkpoints: [UInt32] = []

    /// - Parameter index: complete when the last frame has come.
    init(_ stream: StreamEnvelope, _ index: Locked<ArchiveIndexWriter>) {
        (self.stream, self.index) = (stream, index)
    }

    mutating func append(_ frame: Frame) -> [UInt8] {
        contentSize += UInt64(frame.sourceSize)
        checkpoints += frame.checkpoints
        return stream.append(frame)
    }

    var isFull: Bool { stream.isFull }

    func trailer() throws(Failure) -> [UInt8] {
        let frame = try index.withLock { [contentSize, checkpoints] index throws(Failure) in
            try index.finish(contentSize: contentSize, checkpoints)
        }
        var stream = stream
        let front = stream.append(SeekTable.Entry(skippable: frame.count))
        return front + frame + stream.trailer()
    }
}
