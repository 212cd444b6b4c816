internal import ByteStreams
internal import ZstdCodec

/// Frames become their content, and so does what is in another format that is read.
struct DecompressTransform: Transform, ~Copyable {
    private var decompressor: Decompressor
    private var gather = GatherBuffer()
    /// For what comes in parts: who cuts whole frames has checked them.
    private let limits: DecodingLimits
    private let dictionary: DecompressionDictionary?
    /// For what comes in parts, if anything does.
    private var parts: SegmentDecoder?
    private var partMemory = 0
    /// Whether of what came in parts anything was no frame.
    private(set) var hasForeign = false
    /// Whether the window of one frame is kept for the next.
    private let keepsWindow: Bool
    /// What decodes large frames on several cores.
    private let stages: Stages?

    var memory: Int { decompressor.memory + gather.capacity + partMemory }

    /// - Parameters:
    ///   - dictionary: what frames may refer to.
    ///   - keepsWindow: whether the window of one frame that comes in parts is kept for the next.
    ///   - stages: what decodes large frames on several cores.
    init(
        limits: DecodingLimits, dictionary: DecompressionDictionary? = nil, keepsWindow: Bool = true,
        stages: Stages? = nil
    ) throws(Failure) {
        self.limits = limits
        self.keepsWindow = keepsWindow
        self.stages = stages
        self.dictionary = dictionary
        do {
            decompressor = try Decompressor(dictionary: dictionary, verifiesChecksums: limits.verifiesChecksums)
        } catch {
            throw .codec(error)
        }
    }

    mutating func apply(
        _ load: consuming ChunkMemory, bound: Int, offset: UInt64, slots: Slots
    ) throws(Failure) -> Frame {
        let sourceSize = load.count
        let output = try OutputBuffer(capacity: bound)
        let memory = output.memory
        let size = try gather.withContiguous(load) { frames throws(Failure) in
            try Self.apply(frames, into: memory, offset: offset, with: &decompressor)
        }
        return Frame(bytes: output.finish(count: size), sourceSize: sourceSize, slots: slots)
    }

    /// Decompresses contiguous frames into memory that has room for their bound; returns the size of the content.
    mutating func apply(
        _ frames: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> Int {
        try Self.apply(frames, into: memory, offset: 0, with: &decompressor)
    }

    private static func apply(
        _ frames: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer, offset: UInt64,
        with decompressor: inout Decompressor
    ) throws(Failure) -> Int {
        try codec { () throws(CodecFailure) in
            do throws(CodecFailure) {
                return try decompressor.decompress(frames, into: memory, offset: offset)
            } catch {
                try findDamage(in: frames, memory, offset: offset, with: &decompressor)
                throw error
            }
        }
    }

    /// Decompresses frame by frame, after all of them together failed.
    ///
    /// - Throws: the failure with the offset of its frame.
    private static func findDamage(
        in frames: UnsafeRawBufferPointer, _ memory: UnsafeMutableRawBufferPointer, offset: UInt64,
        with decompressor: inout Decompressor
    ) throws(CodecFailure) {
        var scanner = FrameScanner()
        var rest = frames
        while !rest.isEmpty {
            let (size, _) = try scanner.scan(rest)
            let frame = UnsafeRawBufferPointer(rebasing: rest[..<size])
            let start = offset + UInt64(frames.count - rest.count)
            _ = try decompressor.decompress(frame, into: memory, offset: start)
            rest = UnsafeRawBufferPointer(rebasing: rest[size...])
        }
    }

    mutating func begin() throws(Failure) {
        if parts == nil {
            parts = try SegmentDecoder(
                limits: limits, dictionary: dictionary, checksum: FrameChecksum(), stages: stages)
        }
        parts?.begin()
    }

    func makeOutput() throws(Failure) -> OutputBuffer {
        if parts != nil, let output = try parts?.makeOutput() { return output }
        return try OutputBuffer(capacity: Frame.segmentSize)
    }

    mutating func step(
        _ part: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool, offset: UInt64
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        let (written, isDone) = try parts?.step(&part, into: output, isLast: isLast, offset: offset) ?? (0, true)
        partMemory = max(partMemory, parts?.memory ?? 0)
        hasForeign = hasForeign || parts?.hasForeign == true
        if isDone, isLast, !keepsWindow { parts = nil }
        return (written, isDone)
    }

    mutating func handOn(_ piece: Bytes, leave: @escaping @Sendable () -> Void) { parts?.handOn(piece, leave: leave) }

    func settle() { parts?.settle() }
}
