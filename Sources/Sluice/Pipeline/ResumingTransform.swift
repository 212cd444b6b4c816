internal import ByteStreams
internal import ZstdCodec

/// Content becomes one frame; one that an earlier run has made is taken over, if it proves to hold this content.
///
/// Decoding is several times faster than compressing. It proves what is there, whatever of it was on the disk when the
/// power went: what is no frame, or is damaged, is made anew.
struct ResumingTransform: Transform, ~Copyable {
    private var compression: CompressTransform
    private var decompressor: Decompressor
    private let kept: ResumableFrames
    /// Whether a frame that holds something else is no failure, but made anew.
    private let replacesOthers: Bool
    private let hasChecksum: Bool
    private var gather = GatherBuffer()
    private var content = GatherBuffer()

    init(
        _ compression: consuming CompressTransform, _ kept: ResumableFrames, replacesOthers: Bool, hasChecksum: Bool
    ) throws(Failure) {
        do { decompressor = try Decompressor() } catch { throw .codec(error) }
        self.compression = compression
        self.kept = kept
        self.replacesOthers = replacesOthers
        self.hasChecksum = hasChecksum
    }

    var memory: Int { compression.memory + decompressor.memory + gather.capacity + content.capacity }

    mutating func apply(
        _ load: consuming ChunkMemory, bound: Int, offset: UInt64, slots: Slots
    ) throws(Failure) -> Frame {
        guard let frame = kept.take(at: offset) else {
            return try compression.apply(load, bound: bound, offset: offset, slots: slots)
        }
        return try gather.withContiguous(load) { source throws(Failure) in
            let holdsSource = try Self.check(
                frame, holds: source, at: offset, replacesOthers, with: &decompressor, in: &content)
            guard holdsSource else {
                return try compression.apply(.region(source), bound: bound, offset: offset, slots: slots)
            }
            let checksum = hasChecksum ? frame.suffix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) } : 0
            return Frame(bytes: Bytes(frame), sourceSize: source.count, checksum: checksum, slots: slots)
        }
    }

    /// - Returns: false if it has to be made anew.
    /// - Throws: `otherSource`, `outOfMemory`.
    private static func check(
        _ frame: [UInt8], holds source: UnsafeRawBufferPointer, at offset: UInt64, _ replacesOthers: Bool,
        with decompressor: inout Decompressor, in buffer: inout GatherBuffer
    ) throws(Failure) -> Bool {
        // So much that the content of an empty frame has a place, too.
        let memory = try buffer.room(for: max(1, source.count))
        let decoded = frame.span.bytes.withUnsafeBytes {
            try? decompressor.decompress($0, into: memory, offset: 0)
        }
        guard let decoded else { return false }
        let same = source.sameBytes(as: UnsafeRawBufferPointer(rebasing: memory[..<decoded]))
        if same == source.count, same == decoded { return true }
        if replacesOthers { return false }
        throw .otherSource(offset: offset + UInt64(same))
    }

    mutating func begin() throws(Failure) { try compression.begin() }

    mutating func step(
        _ part: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool, offset: UInt64
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        try compression.step(&part, into: output, isLast: isLast, offset: offset)
    }
}
