internal import Dispatch
internal import ZstdCodec

/// Compressed input on its way from the reader to the chunks: what came and was not taken yet, and how far it was
/// scanned.
struct ScannedInput {
    private var scanner: CheckedScanner
    private var held = Bytes()
    /// The end of what is held, as it came, and how much of it was scanned.
    private var fresh = (part: Bytes(), scanned: 0)
    /// Where what is held begins in the input.
    private(set) var offset: UInt64 = 0

    init(limits: DecodingLimits) {
        scanner = CheckedScanner(limits: limits)
    }

    /// Bytes that came and were not taken.
    var count: Int { held.count }
    /// How many of them were scanned.
    var scannedCount: Int { Int(scanner.offset - offset) }
    /// Whether all that came was scanned.
    var isScanned: Bool { fresh.scanned == fresh.part.count }
    /// The frame that has begun and not ended.
    var current: FrameScanner.Frame? { scanner.current }
    /// Whether the frame that was scanned last is the first of the input.
    var isInFirstFrame: Bool { scanner.frameCount == (scanner.current == nil ? 1 : 0) }

    /// Takes what came, when all before it was scanned.
    mutating func append(_ part: Bytes) {
        held.append(part)
        fresh = (part, 0)
    }

    /// Scans up to the end of a frame, which is returned, or of what has come.
    ///
    /// - Throws: what makes the input, or the frame, impossible to decode.
    mutating func scan() throws(Failure) -> FrameScanner.Frame? {
        var outcome = Result<FrameScanner.Frame?, CodecFailure>.success(nil)
        fresh.part.data.enumerateBytes { region, offset, stop in
            let start = fresh.scanned - offset
            guard start >= 0, start < region.count else { return }
            let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(region)[start...])
            outcome = Result { () throws(CodecFailure) in
                let (scanned, ended) = try scanner.scan(bytes)
                fresh.scanned += scanned
                return ended
            }
            if case .success(nil) = outcome { return }
            stop = true
        }
        return try codec(outcome.get)
    }

    /// Takes bytes off the front.
    mutating func take(_ count: Int) -> Bytes {
        offset += UInt64(count)
        return held.removeFirst(count)
    }

    /// Takes everything that was scanned.
    mutating func takeScanned() -> Bytes { take(scannedCount) }

    /// States that the input ends here.
    ///
    /// - Throws: `truncated`, `empty`, `missingSeekTable`.
    func finish() throws(Failure) {
        try codec(scanner.finish)
    }

    /// What came and was not taken, for somebody else: frames end before it.
    ///
    /// - Throws: `missingSeekTable` if they must not.
    mutating func takeRest() throws(Failure) -> Bytes {
        try codec { () throws(CodecFailure) in try scanner.finishFrames(at: offset) }
        defer { held = Bytes() }
        return held
    }

    /// The first bytes of what came and was not taken.
    func peek(_ count: Int) -> [UInt8] {
        var held = held
        return held.removeFirst(count).elements
    }
}
