/// Compresses content to frames, but keeps those of an earlier run that prove to hold the content.
///
/// Decoding is several times faster than compressing. It also checks what a power cut has left on the disk: frames that
/// are missing or damaged are made again.
struct ResumingTransform: Transform, ~Copyable {
    private var compression: CompressTransform
    private var decompressor: Decompressor
    private let kept: ResumedFrames
    /// Whether a frame with other content is made again; otherwise it is a failure.
    private let replacesOthers: Bool
    private var content = GatherBuffer()

    init(_ compression: consuming CompressTransform, _ kept: ResumedFrames, replacesOthers: Bool) throws(Failure) {
        decompressor = try codec(Decompressor())
        self.compression = compression
        (self.kept, self.replacesOthers) = (kept, replacesOthers)
    }

    mutating func apply(_ chunk: consuming Chunk, with buffer: inout GatherBuffer) throws(Failure) -> ChunkResult {
        let (offset, bound) = (chunk.offset, chunk.bound)
        guard let frame = kept.take(at: offset) else {
            return try compression.apply(chunk, with: &buffer)
        }
        return try buffer.withContiguous(chunk) { source throws(Failure) in
            // An empty frame needs memory, too. All memory is offered, so that content that is longer than the source
            // can be compared.
            let memory = try content.room(for: max(1, content.capacity, source.byteCount))
            if let decoded = try? decompressor.decompress(frame.span.bytes, into: memory, offset: 0) {
                let same = source.sameBytes(as: memory.bytes.extracting(..<decoded))
                if same == source.byteCount, same == decoded {
                    let checksum = kept.haveChecksums ? UInt32(littleEndianBytes: frame.suffix(4)) : 0
                    return ChunkResult(bytes: Bytes(frame), sourceSize: source.byteCount, checksum: checksum)
                }
                guard replacesOthers else { throw .otherSource(offset: offset + UInt64(same)) }
            }
            return try compression.apply(source, bound: bound, offset: offset)
        }
    }
}
