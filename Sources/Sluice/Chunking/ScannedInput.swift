internal import Dispatch

/// Compressed input between the reader and the chunks: bytes that were not taken yet, and how far they were scanned.
struct ScannedInput {
    private var scanner: CheckedScanner
    private var held = Bytes()
    /// Where the bytes that are held begin in the input.
    private(set) var offset: UInt64 = 0

    init(limits: DecodingLimits) {
        scanner = CheckedScanner(limits: limits)
    }

    /// Bytes that were not taken.
    var count: Int { held.count }
    /// How many of them were scanned.
    var scannedCount: Int { Int(scanner.offset - offset) }
    var isScanned: Bool { scannedCount == count }
    /// The frame that has begun and not ended.
    var current: FrameScanner.Frame? { scanner.current }
    /// Whether the frame that was scanned last is the first of the input.
    var isInFirstFrame: Bool { scanner.frameCount == (scanner.current == nil ? 1 : 0) }

    mutating func append(_ bytes: Bytes) { held.append(bytes) }

    /// Scans up to the end of a frame, which is returned, or of the input so far.
    ///
    /// - Throws: what makes the input, or the frame, impossible to decode.
    mutating func scan() throws(Failure) -> FrameScanner.Frame? {
        var outcome = Result<FrameScanner.Frame?, CodecFailure>.success(nil)
        held.data.enumerateBytes { region, place, stop in
            let start = scannedCount - place
            guard start < region.count else { return }
            let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(region)[start...])
            outcome = Result { () throws(CodecFailure) in try scanner.scan(bytes).ended }
            if case .success(nil) = outcome { return }
            stop = true
        }
        return try codec(outcome.get())
    }

    /// Takes bytes off the front.
    mutating func take(_ count: Int) -> Bytes {
        offset += UInt64(count)
        return held.removeFirst(count)
    }

    mutating func takeScanned() -> Bytes { take(scannedCount) }

    /// States that the input ends here.
    ///
    /// - Throws: `truncated`, `empty`, `missingSeekTable`.
    func finish() throws(Failure) {
        try codec(scanner.finish())
    }

    /// Takes everything that is held, which frames end before.
    ///
    /// - Throws: `missingSeekTable` if they must not.
    mutating func takeRest() throws(Failure) -> Bytes {
        try codec(scanner.finishFrames(at: offset))
        defer { held = Bytes() }
        return held
    }

    /// The first bytes that were not taken.
    func peek(_ count: Int) -> [UInt8] {
        var held = held
        return held.removeFirst(count).elements
    }
}
