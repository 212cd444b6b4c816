/// Bytes in which frames lie, one after another: of a file or of memory.
package protocol FrameOrigin {
    associatedtype ReadFailure: Error

    /// How many bytes there are; 0 if that is not known.
    var size: UInt64 { get }
    /// Some of the bytes from an offset on, until the next call; none at the end.
    mutating func bytes(from offset: UInt64) throws(ReadFailure) -> UnsafeRawBufferPointer
}

/// The one walk over the frames of a file or of memory, by the headers of frames and blocks: what lies between them is
/// passed over, not read.
///
///     var walk = FrameWalk(over: origin)
///     while let step = try walk.next() { print(step.frame.offset, step.flaw) }
///
/// Bytes that come in order, and not from an origin, are for a `FrameScanner`.
package struct FrameWalk<Origin: FrameOrigin> {
    private var origin: Origin
    private var state: WalkState

    /// - Parameters:
    ///   - offset: where the first frame begins.
    ///   - ignoresZeros: as for `FrameScanner`.
    package init(over origin: Origin, from offset: UInt64 = 0, ignoresZeros: Bool = false) {
        self.origin = origin
        state = WalkState(scanner: FrameScanner(offset: offset, ignoresZeros: ignoresZeros))
    }

    /// Where the last frame ended; zeros may follow.
    package var end: UInt64 { state.scanner.zerosOffset ?? state.scanner.offset }

    /// The next frame; nil after the last one, and after a flaw.
    package mutating func next() throws(Origin.ReadFailure) -> WalkedFrame? {
        while state.goesOn { try advance() }
        return state.found.take()
    }

    /// The next frame as soon as its kind and its header are known, to be walked over by `next`; nil as for that.
    package mutating func begun() throws(Origin.ReadFailure) -> FrameScanner.Frame? {
        while state.goesOn, !state.knowsHeader { try advance() }
        return state.found?.frame ?? (state.goesOn ? state.scanner.current : nil)
    }

    private mutating func advance() throws(Origin.ReadFailure) {
        if state.unscanned.isEmpty { state.unscanned = try origin.bytes(from: state.scanner.offset) }
        state.scan()
        if state.goesOn, state.scanner.bytesToSkip > 0 { state.skip(upTo: origin.size) }
    }
}

/// A frame, and what is wrong with it.
package struct WalkedFrame {
    /// As far as it was scanned.
    package let frame: FrameScanner.Frame
    /// Why the frame is not whole; it is the last one then.
    package let flaw: CodecFailure?
    /// Whether the bytes end within the frame.
    package let isCut: Bool
}

/// What a walk does for each frame, whatever the origin is: generic code would take as long again.
private struct WalkState {
    var scanner: FrameScanner
    /// What is left of the bytes that the origin gave last.
    var unscanned = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The next frame, if it is known.
    var found: WalkedFrame?
    var hasEnded = false

    var goesOn: Bool { found == nil && !hasEnded }
    var knowsHeader: Bool { scanner.current.map { $0.header != nil || $0.isSkippable } ?? false }

    /// Scans on, or ends if there are no bytes.
    mutating func scan() {
        let isEnd = unscanned.isEmpty
        do throws(CodecFailure) {
            if isEnd {
                hasEnded = true
                return try scanner.finish()
            }
            let (count, ended) = try scanner.scan(unscanned)
            unscanned = UnsafeRawBufferPointer(rebasing: unscanned[count...])
            note(ended)
        } catch {
            let frame = scanner.current ?? FrameScanner.Frame(offset: scanner.offset)
            (found, hasEnded) = (WalkedFrame(frame: frame, flaw: error, isCut: isEnd), true)
        }
    }

    mutating func skip(upTo end: UInt64) {
        note(scanner.skip(min(scanner.bytesToSkip, end - min(end, scanner.offset))))
    }

    private mutating func note(_ ended: FrameScanner.Frame?) {
        if let ended { found = WalkedFrame(frame: ended, flaw: nil, isCut: false) }
    }
}

/// Frames in memory.
package struct FramesInMemory: FrameOrigin {
    private let memory: UnsafeRawBufferPointer

    package init(_ memory: UnsafeRawBufferPointer) { self.memory = memory }

    package var size: UInt64 { UInt64(memory.count) }

    package func bytes(from offset: UInt64) throws(Never) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory[Int(offset)...])
    }
}

extension DecodingLimits {
    /// Walks over frames in memory, which have to be whole, and within these limits.
    ///
    /// - Parameters:
    ///   - ignoresZeros: as for `FrameScanner`.
    ///   - visit: receives each frame.
    /// - Returns: where the frames end; zeros may follow.
    /// - Throws: what makes a frame impossible to decode; `missingSeekTable`, `truncated`, `empty`.
    package func check(
        _ frames: UnsafeRawBufferPointer, ignoresZeros: Bool = false, _ visit: (FrameScanner.Frame) -> Void = { _ in }
    ) throws(CodecFailure) -> Int {
        var walk = FrameWalk(over: FramesInMemory(frames), ignoresZeros: ignoresZeros)
        var audit = SeekTableAudit(comparesChecksums: verifiesChecksums)
        while let step = walk.next() {
            try check(step.frame)
            if let flaw = step.flaw { throw flaw }
            try audit.note(step.frame)
            visit(step.frame)
        }
        try audit.finish(at: walk.end)
        return Int(walk.end)
    }
}
