/// Proves each frame of another transform before it is handed on.
struct VerifyingTransform<Work: Transform & ~Copyable>: Transform, ~Copyable {
    private var work: Work
    private var proof: FrameProof
    /// Bytes of the last hole whose frame was proved: holes of equal size have equal frames.
    private var provenHole: Int?

    init(_ work: consuming Work, _ verification: Verification) throws(Failure) {
        proof = try FrameProof(verification)
        self.work = work
    }

    mutating func apply(
        _ chunk: consuming ChunkMemory, bound: Int, offset: UInt64, slots: Slots
    ) throws(Failure) -> Frame {
        let content = chunk
        let frame = try work.apply(chunk, bound: bound, offset: offset, slots: slots)
        if case .zeros(let count) = content {
            if count == provenHole { return frame }
            provenHole = count
        }
        try proof.prove(frame.bytes, of: content, at: offset)
        return frame
    }

    mutating func begin(at offset: UInt64, _ place: ForeignPlace?) throws(Failure) {
        try work.begin(at: offset, place)
        try proof.begin()
    }

    mutating func step(
        _ segment: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        let before = segment
        let result = try work.step(&segment, into: output, isLast: isLast)
        let content = UnsafeRawBufferPointer(rebasing: before.dropLast(segment.count))
        try proof.prove(
            UnsafeRawBufferPointer(rebasing: output[..<result.written]), of: content, isLast: isLast && result.isDone)
        return result
    }
}
