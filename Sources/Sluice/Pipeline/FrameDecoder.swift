internal import ZstdCodec

/// Decompresses frames that come in parts. It finds their ends by itself: what the cutter found is not handed on.
struct FrameDecoder: ~Copyable {
    private let limits: DecodingLimits
    private var decompressor: Decompressor
    private var scanner: CheckedScanner
    /// Where the frame begins in the input.
    private var frameOffset: UInt64 = 0
    /// Bytes at the start of what comes next that were scanned, and whether the frame ends with them.
    private var scanned = (count: 0, isEnd: false)

    var memory: Int { decompressor.memory }

    init(limits: DecodingLimits, dictionary: DecompressionDictionary? = nil) throws(Failure) {
        self.limits = limits
        scanner = CheckedScanner(limits: limits)
        do {
            decompressor = try Decompressor(dictionary: dictionary, verifiesChecksums: limits.verifiesChecksums)
        } catch {
            throw .codec(error)
        }
    }

    /// Begins a sequence of frames.
    ///
    /// - Parameter offset: where it lies in the input.
    mutating func begin(at offset: UInt64) {
        scanner = CheckedScanner(limits: limits, offset: offset)
    }

    /// Begins the next frame of it.
    mutating func beginFrame() throws(Failure) {
        frameOffset = scanner.offset
        scanned = (0, false)
        try codec { () throws(CodecFailure) in try decompressor.begin() }
    }

    /// Decompresses a part of the frame.
    ///
    /// - Parameter part: on return, what was not taken yet.
    /// - Returns: the bytes written to `content`, and whether the frame has ended.
    mutating func decode(
        _ part: inout UnsafeRawBufferPointer, into content: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> (written: Int, hasEnded: Bool) {
        try codec { () throws(CodecFailure) in
            if scanned.count == 0, !scanned.isEnd { try scan(part) }
            var frame = UnsafeRawBufferPointer(rebasing: part.prefix(scanned.count))
            let (written, isDone) = try decompressor.stream(&frame, into: content, offset: frameOffset)
            part = UnsafeRawBufferPointer(rebasing: part.dropFirst(scanned.count - frame.count))
            scanned.count = frame.count
            // Whoever decodes and whoever looks at blocks must see one end, or bytes are taken for what they are not.
            guard !isDone || decompressor.hasEnded == scanned.isEnd else {
                throw .corrupt(reason: "its end is not where its blocks end", offset: frameOffset)
            }
            return (written, scanned.isEnd && isDone)
        }
    }

    private mutating func scan(_ part: UnsafeRawBufferPointer) throws(CodecFailure) {
        let (count, ended) = try scanner.scan(part)
        scanned = (count, ended != nil)
    }

    /// States that the sequence ends here.
    ///
    /// - Throws: `truncated` within a frame, `missingSeekTable`.
    func finish() throws(Failure) {
        try codec(scanner.finish)
    }
}
