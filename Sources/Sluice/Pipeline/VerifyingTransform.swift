/// What another transform compresses is proved before it is handed on.
struct VerifyingTransform<Work: Transform & ~Copyable>: Transform, ~Copyable {
    private var work: Work
    private var proof: FrameProof
    /// How long the last hole was whose frame was proved, in bytes: those as long have the same frame.
    private var provenHole: Int?

    init(_ work: consuming Work, _ verification: Verification) throws(Failure) {
        proof = try FrameProof(verification)
        self.work = work
    }

    var memory: Int { work.memory + proof.memory }

    mutating func apply(
        _ load: consuming ChunkMemory, bound: Int, offset: UInt64, slots: Slots
    ) throws(Failure) -> Frame {
        let content = load
        let frame = try work.apply(load, bound: bound, offset: offset, slots: slots)
        if case .zeros(let count) = content {
            if count == provenHole { return frame }
            provenHole = count
        }
        try proof.prove(frame.bytes, of: content, at: offset)
        return frame
    }

    mutating func begin() throws(Failure) {
        try work.begin()
        try proof.begin()
    }

    mutating func step(
        _ part: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool, offset: UInt64
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        let before = part
        let result = try work.step(&part, into: output, isLast: isLast, offset: offset)
        let content = UnsafeRawBufferPointer(rebasing: before.dropLast(part.count))
        try proof.prove(
            UnsafeRawBufferPointer(rebasing: output[..<result.written]), of: content, isLast: isLast && result.isDone)
        return result
    }
}
