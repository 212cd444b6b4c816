package import ByteStreams
internal import ZstdCodec

/// The frames of a file that the strict walk has no complaint about, one after another: as for `-d`, no seek table says
/// where they belong.
package struct SoundFrames {
    private let verdict: FileVerdict
    private let trial: FrameTrial
    private let mostHeld: UInt64
    private var walk: FrameWalk<FileWindow>
    private var tables: StreamTables
    /// The table of the current stream, once a frame has not stated its content size.
    private var table: (matcher: SeekTableMatcher?, isKnown: Bool) = (nil, false)
    private var streamStart: UInt64 = 0
    /// Where a frame began that is not whole any more: the disk fails at one time, and not at another. A scan goes on
    /// there. Also the start of its stream.
    package private(set) var end: (broken: UInt64, streamStart: UInt64)?

    /// - Parameter mostHeld: as for `RecoveryScan`.
    package init(
        _ file: DamagedFile, _ verdict: FileVerdict, _ trial: @escaping FrameTrial, mostHeld: UInt64
    ) throws(Failure) {
        (self.verdict, self.trial, self.mostHeld) = (verdict, trial, mostHeld)
        walk = FrameWalk(over: try FileWindow(forWalkOver: file))
        tables = try StreamTables(file, verdict)
    }

    /// The next frame with content; nil at the end.
    package mutating func next() throws(Failure) -> RecoveryResult? {
        while end == nil, walk.end < verdict.end, let step = try walk.next() {
            let frame = step.frame
            if step.flaw != nil {
                end = (frame.offset, streamStart)
                return nil
            }
            if frame.isSeekTable { (streamStart, table) = (walk.end, (nil, false)) }
            if frame.isSkippable { continue }
            let loss = try loss(of: frame)
            if max(frame.decompressedBound, frame.compressedSize) <= mostHeld {
                return .held(TriedFrame(input: frame.input, bound: frame.decompressedBound, loss: loss))
            }
            return switch try trial(frame.input, .max).verdict {
            case .whole(let size): .streamed(frame.input, contentSize: size, isCut: false)
            case .cut: .lost(frame.input, loss, "the frame at byte \(frame.offset) does not end")
            case .failed(let reason): .lost(frame.input, loss, reason)
            }
        }
        return nil
    }

    /// What is lost if a frame can't be decoded. A content size of 0 may itself be the damage, so it isn't exact.
    private mutating func loss(of frame: FrameScanner.Frame) throws(Failure) -> LossSize {
        if let size = frame.contentSize, size > 0, size <= frame.blockBound { return .exactly(size) }
        if !table.isKnown { table = (try tables.next(after: streamStart)?.matcher, true) }
        return table.matcher?.contentSize(listedFor: frame).map { .exactly($0) } ?? .unknown
    }
}
