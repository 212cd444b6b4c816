internal import DequeModule

/// Decides what goes out next: frames in the order of their chunks, behind what the envelope has for them, and of an
/// excerpt only what it takes.
///
/// A value: it knows no lock, no file and no other thread.
struct FrameOrder: Sendable {
    /// A frame, or the failure that came in its place.
    struct Arrival: Sendable {
        let outcome: Result<Frame, Failure>
        /// What of the frame is left out of the output.
        var holes: [Range<Int>] = []
        /// When it came.
        let time: UInt64
    }

    /// A frame whose turn has come.
    struct Due: Sendable {
        let frame: Frame
        /// What goes out for it.
        let bytes: Bytes
        let holes: [Range<Int>]
        /// Bytes of the frame among them.
        let count: Int
        /// When it came.
        let arrival: UInt64
    }

    /// What is to be done next.
    enum Step: Sendable {
        case frame(Due)
        /// These bytes end the output.
        case trailer(Bytes)
        /// What fills no block goes out.
        case rest
        /// Everything before it was handed on.
        case settled
    }

    private var reorder = ReorderBuffer<Arrival>()
    private var envelope: (any Envelope)?
    private var holdBack: HoldBack
    /// What of the frames is written, if not all, and what is to run when that is over.
    private var excerpt: Excerpt?
    private var whenComplete: (@Sendable () -> Void)?
    /// What comes behind all frames that have arrived.
    private var closing: Deque<Step> = []
    /// A failure whose turn has come, while frames before it are still being written.
    private(set) var failure: Failure?
    /// Bytes of the frames that went out in order, and of what they were made from.
    private(set) var sizes = (frames: UInt64(0), sources: UInt64(0))

    /// - Parameters:
    ///   - envelope: what a stream of several frames has besides them.
    ///   - holdBack: when nothing is written; it has to be told of the slots.
    init(_ envelope: (any Envelope)? = nil, holdBack: HoldBack = HoldBack(until: 0)) {
        (self.envelope, self.holdBack) = (envelope, holdBack)
    }

    /// Bytes that the seek table takes.
    var tableMemory: Int { envelope?.memory ?? 0 }
    /// The index whose frame is due.
    var nextIndex: Int { reorder.next }
    /// Bytes of the content up to the end of what came, for an excerpt.
    var excerptPosition: UInt64 { excerpt?.position ?? 0 }
    /// Whether all of an excerpt came.
    var isComplete: Bool { excerpt?.isComplete == true }

    mutating func insert(_ arrival: Arrival, at index: Int, isLast: Bool) {
        if case .failure = arrival.outcome { holdBack.end() }
        reorder.insert(arrival, at: index, isLast: isLast)
    }

    /// Takes an excerpt only from now on; what comes behind its end is dropped, failures too.
    ///
    /// - Parameter whenComplete: handed out once by `takeWhenComplete`, when no further frame is needed.
    mutating func keep(only excerpt: Excerpt, whenComplete: @escaping @Sendable () -> Void) {
        (self.excerpt, self.whenComplete) = (excerpt, whenComplete)
    }

    /// What is to run, once, because no further frame is needed.
    mutating func takeWhenComplete() -> (@Sendable () -> Void)? { isComplete ? whenComplete.take() : nil }

    /// So many slots more, or less, are in use: what is held back for them may go out.
    mutating func slotsDidChange(by change: Int) { holdBack.slotsDidChange(by: change) }

    /// No more frames will come than are on their way.
    mutating func inputDidEnd() { holdBack.end() }

    /// Everything that went out is written; in the middle of a frame what is held back could not fill anything.
    mutating func outputDidRunDry() {
        if reorder.count == 0 { holdBack.outputDidRunDry() }
    }

    /// Nothing goes out behind this failure.
    mutating func fail(_ failure: Failure) {
        self.failure = self.failure ?? failure
        holdBack.end()
    }

    /// Adds what comes behind all frames that have arrived.
    mutating func append(_ step: Step) { closing.append(step) }

    /// The bytes that end the output.
    func trailer() throws(Failure) -> [UInt8] { try envelope?.trailer() ?? [] }

    /// What is to be done next. Behind a failure nothing goes out any more, but whoever waits for the end is told.
    ///
    /// - Returns: nil if it has not arrived, or is held back.
    mutating func next() -> Step? {
        while failure == nil, !holdBack.isHolding, let arrival = reorder.popReady() {
            switch arrival.outcome {
            case .success(let frame): if let due = due(frame, arrival) { return .frame(due) }
            case .failure(let failure): if !isComplete { self.failure = failure }
            }
        }
        while let step = closing.popFirst() {
            if case .settled = step { return step }
            if failure == nil { return step }
        }
        return nil
    }

    /// Nil if the stream has no room for another frame.
    private mutating func due(_ frame: Frame, _ arrival: Arrival) -> Due? {
        if envelope?.isFull == true {
            failure = .codec(.tooManyFrames)
            return nil
        }
        var (bytes, holes) = (frame.bytes, arrival.holes)
        if let pieces = excerpt?.take(UInt64(bytes.count), isLast: !frame.isPiece), pieces != [0..<bytes.count] {
            (bytes, holes) = (bytes.slices(pieces), [])
        }
        let count = bytes.count
        sizes.frames += UInt64(count)
        sizes.sources += UInt64(frame.sourceSize)
        if let header = envelope?.append(frame), !header.isEmpty {
            var headed = Bytes(header)
            headed.append(bytes)
            bytes = headed
        }
        return Due(frame: frame, bytes: bytes, holes: holes, count: count, arrival: arrival.time)
    }
}
