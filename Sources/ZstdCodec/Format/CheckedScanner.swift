/// A frame scanner that also rejects frames beyond the limits, and frames that contradict their stream's seek table.
package struct CheckedScanner: Sendable {
    private let limits: DecodingLimits
    private var scanner: FrameScanner
    private var audit: StreamEndCheck

    /// - Parameters:
    ///   - offset: where the first frame begins in the input.
    ///   - ignoresZeros: as for `FrameScanner`.
    ///   - mayBeginWithin: as for `StreamEndCheck`.
    package init(
        limits: DecodingLimits, offset: UInt64 = 0, ignoresZeros: Bool = false, mayBeginWithin: Bool = false
    ) {
        self.limits = limits
        audit = StreamEndCheck(comparesChecksums: limits.verifiesChecksums, mayBeginWithin: mayBeginWithin)
        scanner = FrameScanner(offset: offset, ignoresZeros: ignoresZeros)
    }

    package var offset: UInt64 { scanner.offset }
    package var zerosOffset: UInt64? { scanner.zerosOffset }
    package var frameCount: UInt64 { scanner.frameCount }
    package var current: FrameScanner.Frame? { scanner.current }

    /// Scans on until a frame ends or the bytes do.
    ///
    /// - Returns: how many of `bytes` were scanned, and the frame that ended there, if one did.
    /// - Throws: the reason why the input, or the frame, can't be decoded.
    package mutating func scan(_ bytes: RawSpan) throws(CodecFailure) -> (scanned: Int, ended: FrameScanner.Frame?) {
        let (scanned, ended) = try scanner.scan(bytes)
        if let frame = ended ?? scanner.current { try limits.check(frame) }
        if let ended { try audit.note(ended) }
        return (scanned, ended)
    }

    /// As `FrameScanner.skipEmptyBlocks`.
    package mutating func skipEmptyBlocks(_ bytes: RawSpan) -> Int { scanner.skipEmptyBlocks(bytes) }
    package var restOfBlockHeader: Int? { scanner.restOfBlockHeader }

    /// The number of bytes of a skippable frame that come next. A caller that can seek need not read them.
    package var bytesToSkip: UInt64 { current?.isSkippable == true ? scanner.bytesToSkip : 0 }

    /// Skips bytes that were not read, at most `bytesToSkip`.
    package mutating func skip(_ count: UInt64) throws(CodecFailure) {
        if let ended = scanner.skip(count) { try audit.note(ended) }
    }

    /// Ends the scan at the end of the input.
    ///
    /// - Throws: `truncated`, `empty`, `missingSeekTable`.
    package func finish() throws(CodecFailure) {
        try scanner.finish()
        try audit.finish(at: scanner.offset)
    }

    /// Ends the scan at `offset`, where the frames end and something else follows.
    ///
    /// - Throws: `missingSeekTable`.
    package func finishFrames(at offset: UInt64) throws(CodecFailure) { try audit.finish(at: offset) }
}
