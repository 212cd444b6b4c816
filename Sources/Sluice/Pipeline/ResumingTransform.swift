internal import Synchronization

/// Compresses content to frames, but keeps those of an earlier run that prove to hold the content.
///
/// Decoding is several times faster than compressing. It proves whatever was on the disk when the power failed: frames
/// that are missing or damaged are made again.
struct ResumingTransform: Transform, ~Copyable {
    private var compression: CompressTransform
    private var decompressor: Decompressor
    private let kept: ResumableFrames
    /// Whether a frame with other content is made again; otherwise it is a failure.
    private let replacesOthers: Bool
    private var content = GatherBuffer()

    init(
        _ compression: consuming CompressTransform, _ kept: ResumableFrames, replacesOthers: Bool
    ) throws(Failure) {
        decompressor = try codec(Decompressor())
        self.compression = compression
        (self.kept, self.replacesOthers) = (kept, replacesOthers)
    }

    mutating func apply(
        _ chunk: consuming Chunk, with buffer: inout GatherBuffer
    ) throws(Failure) -> Frame {
        let (offset, bound) = (chunk.offset, chunk.bound)
        guard let frame = kept.take(at: offset) else {
            return try compression.apply(chunk, with: &buffer)
        }
        return try buffer.withContiguous(chunk) { source throws(Failure) in
            // An empty frame needs memory, too. All there is shows how much longer the content of a frame is.
            let memory = try content.room(for: max(1, content.capacity, source.count))
            let decoded = frame.span.bytes.withUnsafeBytes {
                try? decompressor.decompress($0, into: memory, offset: 0)
            }
            if let decoded {
                let same = source.sameBytes(as: UnsafeRawBufferPointer(rebasing: memory[..<decoded]))
                if same == source.count, same == decoded {
                    let checksum = kept.haveChecksums ? UInt32(littleEndianBytes: frame.suffix(4)) : 0
                    return Frame(bytes: Bytes(frame), sourceSize: source.count, checksum: checksum)
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
final class ResumableFrames: Sendable {
    private struct State {
        var scanner = FrameScanner()
        /// The number of the frame that is read next.
        var next = 0
        var waiting: [Int: [UInt8]] = [:]
        /// Bytes that are not scanned yet, and the offset of the file after them.
        var unscanned: ArraySlice<UInt8> = []
        var position: UInt64 = 0
        var hasEnded = false
    }

    /// Bytes that are read at once.
    private static let readSize = 1 << 20

    private let descriptor: FileDescriptor
    /// Bytes of content of each frame but the last.
    private let frameSize: Int
    /// Whether frames end in a checksum; the first frame that differs ends them.
    let haveChecksums: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - descriptor: readable; the frames begin with the file.
    ///   - options: those that the frames were made with.
    init(_ descriptor: FileDescriptor, _ options: CompressionOptions) {
        self.descriptor = descriptor
        (frameSize, haveChecksums) = (options.effectiveFrameSize, options.hasChecksum)
    }

    /// Takes the frame whose content begins at `offset`; nil if there is none.
    func take(at offset: UInt64) -> [UInt8]? {
        let number = Int(offset / UInt64(frameSize))
        return state.withLock { state in
            while !state.hasEnded, state.next <= number {
                guard let frame = read(&state) else {
                    (state.hasEnded, state.unscanned) = (true, [])
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
        var frame: [UInt8] = []
        while frame.count <= CompressionOptions.bound(frameSize) {
            if state.unscanned.isEmpty {
                var buffer = [UInt8](repeating: 0, count: Self.readSize)
                guard let count = try? descriptor.fill(&buffer, from: state.position), count > 0 else { return nil }
                state.unscanned = buffer[..<count]
                state.position += UInt64(count)
            }
            let bytes = state.unscanned
            let found = bytes.span.bytes.withUnsafeBytes { try? state.scanner.scan($0) }
            guard let (scanned, ended) = found else { return nil }
            frame += bytes.prefix(scanned)
            state.unscanned = bytes.dropFirst(scanned)
            guard let ended else { continue }
            if let header = ended.header { return header.hasChecksum == haveChecksums ? frame : nil }
            frame = []
        }
        return nil
    }
}
