internal import ByteStreams
internal import ZstdCodec

/// Frames are decompressed, verified and dropped; how much they held is noted.
struct SurveyTransform: Transform, ~Copyable {
    private let survey: Survey
    private var decompression: DecompressTransform
    /// Bytes of the frame in parts that went in and came out.
    private var sizes = (input: UInt64(0), content: UInt64(0))

    init(
        _ survey: Survey, limits: DecodingLimits, dictionary: DecompressionDictionary?, stages: Stages?
    ) throws(Failure) {
        self.survey = survey
        decompression = try DecompressTransform(limits: limits, dictionary: dictionary, stages: stages)
    }

    var memory: Int { decompression.memory }

    mutating func apply(
        _ load: consuming ChunkMemory, bound: Int, offset: UInt64, slots: Slots
    ) throws(Failure) -> Frame {
        let inputSize = UInt64(load.count)
        let frame = try decompression.apply(load, bound: bound, offset: offset, slots: slots)
        survey.note(offset, inputSize: inputSize, contentSize: UInt64(frame.bytes.count))
        return frame
    }

    mutating func begin() throws(Failure) {
        sizes = (0, 0)
        try decompression.begin()
    }

    func makeOutput() throws(Failure) -> OutputBuffer { try decompression.makeOutput() }

    mutating func step(
        _ part: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool, offset: UInt64
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        let before = part.count
        let result = try decompression.step(&part, into: output, isLast: isLast, offset: offset)
        sizes = (sizes.input + UInt64(before - part.count), sizes.content + UInt64(result.written))
        if decompression.hasForeign { survey.giveUp() }
        if isLast, result.isDone { survey.note(offset, inputSize: sizes.input, contentSize: sizes.content) }
        return result
    }

    mutating func handOn(_ piece: Bytes, leave: @escaping @Sendable () -> Void) {
        decompression.handOn(piece, leave: leave)
    }

    func settle() { decompression.settle() }
}
