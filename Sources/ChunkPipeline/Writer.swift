internal import ByteStreams
internal import Dispatch

/// Takes the frames that are due, one after another, and writes them. All of it belongs to one thread.
struct Writer: ~Copyable {
    let order: OrderQueue
    let end: StreamSink
    let outstanding: DispatchGroup
    let latch: FailureLatch
    let monitor: Monitor?
    var leavesHoles = false
    /// Each decides which bytes of the content are written, one after the other.
    var filters: [any ContentFilter] = []
    var observers: [any OutputObserver] = []
    var envelope: (any Envelope)?
    /// Receives the output; the last sink is `end`.
    var sink: any ContentSink
    /// Whether the last frame goes on.
    private var isContinued = false

    init(order: OrderQueue, end: StreamSink, outstanding: DispatchGroup, latch: FailureLatch, monitor: Monitor?) {
        (self.order, self.end, self.outstanding) = (order, end, outstanding)
        (self.latch, self.monitor, sink) = (latch, monitor, end)
    }

    /// Writes everything, and ends the output.
    ///
    /// - Throws: the failure whose turn has come, or that of a write.
    mutating func run() throws(Failure) {
        repeat {
            while let frame = try order.next() {
                // The order hears of a failed run in its turn: what ends before may let go what was held back.
                try latch.check()
                try write(frame)
            }
            // Before the writer sleeps, it waits for what is being written: so a failed write ends the run at once, and
            // it is known when the output has run dry.
            try end.flush()
        } while order.wait(isDry: !isContinued)
        let last = Bytes(joining: filters.map(\.end) + [Bytes(try envelope?.trailer() ?? [])])
        if !last.isEmpty { try pass(Piece(last, lease: tracked(nil))) }
        try sink.flush()
        try sink.end()
    }

    private mutating func write(_ frame: consuming ChunkResult) throws(Failure) {
        let header = try envelope?.append(frame) ?? []
        var piece = Piece(frame.bytes, lease: tracked(frame.lease))
        (piece.holes, piece.isContinued) = (frame.holes, frame.isContinued)
        isContinued = frame.isContinued
        try filter(&piece)
        monitor?.recordOrder(frame, size: piece.bytes.count)
        piece.sizes = Delivery(source: frame.sourceSize, made: piece.bytes.count)
        if !header.isEmpty { (piece.bytes, piece.holes) = (Bytes(joining: [Bytes(header), piece.bytes]), []) }
        frame.bytes = Bytes()
        try pass(piece)
    }

    private func pass(_ piece: consuming Piece) throws(Failure) {
        for observer in observers { observer.take(piece.bytes, piece.lease) }
        try sink.write(piece)
    }

    private func filter(_ piece: inout Piece) throws(Failure) {
        if filters.isEmpty { return }
        for filter in filters {
            piece.bytes = try filter.take(piece.bytes, isContinued: piece.isContinued)
            if filter.isComplete { order.change { $0.isComplete = true } }
        }
        piece.holes = leavesHoles ? piece.bytes.zeroRuns : []
    }

    /// A lease after whose end the run no longer waits for this memory.
    private func tracked(_ lease: Lease?) -> Lease {
        outstanding.enter()
        let leave = { @Sendable [outstanding] in outstanding.leave() }
        guard let lease else { return Lease(leave) }
        lease.then(leave)
        return lease
    }
}

extension Monitor {
    /// Records that a frame's turn has come.
    func recordOrder(_ frame: borrowing ChunkResult, size: Int) {
        record(StageSpan(stage: .order, bytes: size, source: frame.sourceSize, start: frame.arrival))
    }
}
