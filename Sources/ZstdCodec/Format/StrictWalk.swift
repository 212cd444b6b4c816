/// The walk that gives the verdict on the frames of a file or of memory: what it has no complaint about is decoded,
/// unless the content of a frame is damaged.
///
/// It goes on after a complaint about a frame's requirements or about a seek table, and ends at bytes that are not a
/// frame. `CheckedScanner` gives the same verdict on bytes that arrive in order.
package struct StrictWalk<Origin: FrameOrigin> {
    private var walk: FrameWalk<Origin>
    private var audit: StreamEndCheck
    private let limits: DecodingLimits
    private var hasEnded = false
    /// The first complaint. Only after the last frame does nil mean that there is none.
    package private(set) var failure: CodecFailure?

    /// - Parameter ignoresZeros: as for `FrameScanner`.
    package init(over origin: Origin, limits: DecodingLimits, ignoresZeros: Bool = false) {
        walk = FrameWalk(over: origin, ignoresZeros: ignoresZeros)
        audit = StreamEndCheck(comparesChecksums: limits.verifiesChecksums)
        self.limits = limits
    }

    /// The end of the last whole frame; zeros may follow.
    package private(set) var end: UInt64 = 0

    /// The next whole frame; nil after the last one.
    package mutating func next() throws(Origin.ReadFailure) -> FrameScanner.Frame? {
        if hasEnded { return nil }
        let step = try walk.next()
        do throws(CodecFailure) {
            guard let step else {
                hasEnded = true
                try audit.finish(at: walk.end)
                return nil
            }
            try limits.check(step.frame)
            if step.flaw == nil { try audit.note(step.frame) }
        } catch {
            failure = failure ?? error
        }
        guard let flaw = step?.flaw else {
            end = walk.end
            return step?.frame
        }
        (hasEnded, failure) = (true, failure ?? flaw)
        return nil
    }
}

extension DecodingLimits {
    /// Walks over frames in memory, which must be complete and within these limits.
    ///
    /// - Parameters:
    ///   - ignoresZeros: as for `FrameScanner`.
    ///   - visit: receives each frame.
    /// - Returns: the end of the frames; zeros may follow.
    /// - Throws: the reason why a frame can't be decoded; `missingSeekTable`, `truncated`, `empty`.
    package func check(
        _ frames: RawSpan, ignoresZeros: Bool = false, _ visit: (FrameScanner.Frame) -> Void = { _ in }
    ) throws(CodecFailure) -> Int {
        try frames.withUnsafeBytes { frames throws(CodecFailure) in
            var walk = StrictWalk(over: FramesInMemory(frames), limits: self, ignoresZeros: ignoresZeros)
            while let frame = walk.next(), walk.failure == nil { visit(frame) }
            if let failure = walk.failure { throw failure }
            return Int(walk.end)
        }
    }
}
