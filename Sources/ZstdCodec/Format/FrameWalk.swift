/// A file or memory that contains frames, one after another.
package protocol FrameOrigin {
    associatedtype ReadFailure: Error

    /// The total number of bytes; 0 if unknown.
    var size: UInt64 { get }
    /// Some of the bytes from an offset on, valid until the next call; none at the end.
    mutating func bytes(from offset: UInt64) throws(ReadFailure) -> UnsafeRawBufferPointer
}

/// Walks over the frames of a file or of memory, using the headers of frames and blocks. What lies between them is
/// skipped, not read.
///
///     var walk = FrameWalk(over: origin)
///     while let step = try walk.next() { print(step.frame.offset, step.flaw) }
///
/// For bytes that arrive in order, use a `FrameScanner`.
package struct FrameWalk<Origin: FrameOrigin> {
    private var origin: Origin
    private var state: WalkState

    /// - Parameters:
    ///   - offset: the start of the first frame.
    ///   - ignoresZeros: as for `FrameScanner`.
    package init(over origin: Origin, from offset: UInt64 = 0, ignoresZeros: Bool = false) {
        self.origin = origin
        state = WalkState(scanner: FrameScanner(offset: offset, ignoresZeros: ignoresZeros))
    }

    /// The end of the last frame; zeros may follow.
    package var end: UInt64 { state.scanner.zerosOffset ?? state.scanner.offset }

    /// The next frame; nil after the last one, and after a flaw.
    package mutating func next() throws(Origin.ReadFailure) -> WalkedFrame? {
        while state.goesOn { try advance() }
        return state.found.take()
    }

    /// The next frame as soon as its kind and header are known; nil where `next` returns nil. `next` then walks over
    /// it.
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

/// A frame, and where the walk over it ended.
package struct WalkedFrame {
    package enum Ending {
        /// At the frame's end, at that of the file, or at bytes that are not a block, or not a frame.
        case whole
        case cut(CodecFailure)
        case flawed(CodecFailure)
    }

    /// The frame, as far as it has been scanned.
    package let frame: FrameScanner.Frame
    /// A frame that is not whole is the last one.
    package let ending: Ending

    /// Why the frame is not whole; nil if it is.
    package var flaw: CodecFailure? {
        switch ending {
        case .whole: nil
        case .cut(let flaw), .flawed(let flaw): flaw
        }
    }
}

/// The work of a walk per frame, independent of the origin: as generic code it would take twice as long.
private struct WalkState {
    var scanner: FrameScanner
    /// The rest of the bytes that the origin returned last.
    var unscanned = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The next frame, once it is known.
    var found: WalkedFrame?
    var hasEnded = false

    var goesOn: Bool { found == nil && !hasEnded }
    var knowsHeader: Bool { scanner.current.map { $0.header != nil || $0.isSkippable } ?? false }

    /// Continues the scan, or ends it if there are no bytes.
    mutating func scan() {
        let isEnd = unscanned.isEmpty
        do throws(CodecFailure) {
            if isEnd {
                hasEnded = true
                return try scanner.finish()
            }
            let (count, ended) = try scanner.scan(unscanned.bytes)
            unscanned = UnsafeRawBufferPointer(rebasing: unscanned[count...])
            note(ended)
        } catch {
            let frame = scanner.current ?? FrameScanner.Frame(offset: scanner.offset)
            found = WalkedFrame(frame: frame, ending: isEnd ? .cut(error) : .flawed(error))
            hasEnded = true
        }
    }

    mutating func skip(upTo end: UInt64) {
        note(scanner.skip(min(scanner.bytesToSkip, end - min(end, scanner.offset))))
    }

    private mutating func note(_ ended: FrameScanner.Frame?) {
        if let ended { found = WalkedFrame(frame: ended, ending: .whole) }
    }
}

/// Frames in memory.
package struct FramesInMemory: FrameOrigin {
    private let memory: UnsafeRawBufferPointer
    /// The offset of their first byte in their file.
    private let start: UInt64

    package init(_ memory: UnsafeRawBufferPointer, from start: UInt64 = 0) {
        (self.memory, self.start) = (memory, start)
    }

    package var size: UInt64 { start + UInt64(memory.count) }

    package func bytes(from offset: UInt64) throws(Never) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory[Int(offset - start)...])
    }
}
