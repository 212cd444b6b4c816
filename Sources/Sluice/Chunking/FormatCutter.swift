internal import ForeignCodec
internal import ZstdCodec

/// Cuts compressed input of every format that is read: frames into chunks, and what follows in another format, in which
/// only its decoder finds anything, into the parts of one.
struct FormatCutter: ChunkCutter {
    private let reader: ChunkReader
    private let slots: Slots
    private let windows: Slots?
    private var frames: FrameCutter
    /// What is not frames.
    private var rest: SegmentCutter?

    init(_ frames: FrameCutter, _ reader: ChunkReader, slots: Slots, windows: Slots? = nil) {
        self.windows = windows
        self.frames = frames
        self.reader = reader
        self.slots = slots
    }

    var memory: FrameCutter.Memory {
        var memory = frames.memory
        if rest != nil { memory.firstPart = max(memory.firstPart, SegmentCutter.partSize) }
        return memory
    }

    mutating func next() throws(Failure) -> Chunk.Content? {
        if rest == nil {
            do throws(Failure) { return try frames.next() } catch { rest = try foreignRest(after: error) }
        }
        return try rest?.next()
    }

    /// What comes after the frames, if they ended because a format begins that is read.
    ///
    /// - Throws: the failure if it is another one, or says which format it is.
    private mutating func foreignRest(after failure: Failure) throws(Failure) -> SegmentCutter {
        guard failure.isUnknownFormat, let format = ForeignFormat(magic: frames.peek(ForeignFormat.magicSize))
        else { throw failure }
        let (first, offset) = try frames.takeRest()
        guard format.isRead else { throw offset == 0 ? .foreign(.notRead(format)) : failure }
        return SegmentCutter(
            reader, slots: slots, first: first, at: offset, patience: FrameCutter.patience, windows: windows)
    }

    func cancel() {
        frames.cancel()
        rest?.cancel()
    }
}

extension Failure {
    /// Whether bytes came that begin no frame.
    fileprivate var isUnknownFormat: Bool {
        switch codecFailure {
        case .notZstandard, .trailingBytes: true
        default: false
        }
    }
}
