internal import Synchronization

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

/// The whole frames that an interrupted run has left, for the workers that would make the same frames.
///
/// They are read in order, up to the one that a worker asks for; those before it wait for their workers. The worker
/// must prove what a frame holds.
final class ResumedFrames: Sendable {
    private struct State {
        /// Nil after the last whole frame.
        var walk: FrameWalk<FileFrames>?
        /// The number of the frame that is read next.
        var next = 0
        var waiting: [Int: [UInt8]] = [:]
    }

    private let source: Source
    /// Bytes of content of each frame but the last.
    private let frameSize: Int
    /// Whether frames end in a checksum. Only those before the first that differs are kept.
    let haveChecksums: Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - descriptor: readable; the frames begin with the file.
    ///   - options: those that the frames were made with.
    init(_ descriptor: FileDescriptor, _ options: CompressionOptions) throws(Failure) {
        source = try Source(descriptor, isFresh: true)
        state = Mutex(State(walk: try FrameWalk(over: source, readsAll: true)))
        (frameSize, haveChecksums) = (options.effectiveFrameSize, options.hasChecksum)
    }

    /// Takes the frame whose content begins at `offset`; nil if there is none.
    func take(at offset: UInt64) -> [UInt8]? {
        let number = Int(offset / UInt64(frameSize))
        return state.withLock { state in
            while state.walk != nil, state.next <= number {
                guard let frame = read(&state) else {
                    state.walk = nil
                    break
                }
                state.waiting[state.next] = frame
                state.next += 1
            }
            return state.waiting.removeValue(forKey: number)
        }
    }

    /// The next frame with content; nil if no whole one follows.
    private func read(_ state: inout State) -> [UInt8]? {
        while let frame = try? state.walk?.nextWhole() {
            guard let header = frame.header else { continue }
            guard header.hasChecksum == haveChecksums,
                frame.compressedSize <= UInt64(CompressionOptions.bound(frameSize))
            else { return nil }
            return try? source.bytes(at: frame.offset, count: Int(frame.compressedSize))
        }
        return nil
    }
}
