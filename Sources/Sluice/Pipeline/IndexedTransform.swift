internal import ByteStreams
internal import ZstdCodec

/// Frames become their content, of which an index said how much it is.
struct IndexedTransform: Transform, ~Copyable {
    private let index: FrameIndex
    private var decompression: DecompressTransform
    /// Bytes of content of the frame in parts that came out.
    private var count: UInt64 = 0

    init(
        _ index: FrameIndex, limits: DecodingLimits, dictionary: DecompressionDictionary?, stages: Stages? = nil
    ) throws(Failure) {
        self.index = index
        decompression = try DecompressTransform(limits: limits, dictionary: dictionary, stages: stages)
    }

    var memory: Int { decompression.memory }

    /// - Parameter bound: exactly what the content is to have, in bytes.
    mutating func apply(
        _ load: consuming ChunkMemory, bound: Int, offset: UInt64, slots: Slots
    ) throws(Failure) -> Frame {
        let count = load.count
        let frame: Frame
        do throws(Failure) {
            frame = try decompression.apply(load, bound: bound, offset: offset, slots: slots)
        } catch {
            throw hasGivenChecksum(count, bound: bound, offset) ? error.ofGivenChecksum : error
        }
        try check(UInt64(frame.bytes.count), expected: UInt64(bound), offset)
        return frame
    }

    mutating func begin() throws(Failure) {
        count = 0
        try decompression.begin()
    }

    func makeOutput() throws(Failure) -> OutputBuffer { try decompression.makeOutput() }

    mutating func step(
        _ part: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool, offset: UInt64
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        let result = try decompression.step(&part, into: output, isLast: isLast, offset: offset)
        count += UInt64(result.written)
        if isLast, result.isDone, let position = index.position(ofInput: offset) {
            try check(count, expected: UInt64(index[position].content.count), offset)
        }
        return result
    }

    mutating func handOn(_ piece: Bytes, leave: @escaping @Sendable () -> Void) {
        decompression.handOn(piece, leave: leave)
    }

    func settle() { decompression.settle() }

    /// Whether frames were given checksums that only the seek table has: then they are longer than it says.
    private func hasGivenChecksum(_ count: Int, bound: Int, _ offset: UInt64) -> Bool {
        guard let first = index.position(ofInput: offset) else { return false }
        let end = index[first].content.lowerBound + UInt64(bound)
        let last = index.position(of: end - min(end, 1)) ?? first
        return UInt64(count) > index[last].input.upperBound - offset
    }

    private func check(_ count: UInt64, expected: UInt64, _ offset: UInt64) throws(Failure) {
        guard count != expected else { return }
        throw .codec(index.contradicted(by: "the frame holds \(count) bytes and not \(expected)", at: offset))
    }
}

extension Failure {
    /// What a wrong checksum is called that only the seek table has: of it and the frame nobody knows which is damaged.
    fileprivate var ofGivenChecksum: Failure {
        guard let offset = codecFailure?.offsetOfWrongChecksum else { return self }
        let reason = "the seek table has another checksum for its content, and the frame has none"
        return .codec(.corrupt(reason: reason, offset: offset))
    }
}
