internal import DequeModule
package import Dispatch
internal import Synchronization

/// The content of a compressed source: another run decodes it while it is read.
package final class DecodedSource: ByteSource {
    private let job: Job
    private let source: Source
    private let latch = FailureLatch()
    private let pieces: PieceQueue
    private let hasStarted = Atomic(false)
    private let decoding = DispatchGroup()
    private let zeros = Mutex<UInt64?>(nil)

    /// - Parameter job: decompresses.
    /// - Throws: `outOfMemory`.
    package init(_ source: Source, by job: Job) throws(Failure) {
        (self.source, self.job) = (source, job)
        pieces = PieceQueue(try ChecksumSink())
    }

    /// XXH64 of the content, once it was read to its end.
    package var checksum: UInt64 { pieces.checksum.value }

    /// Where zeros begin that follow the compressed data, and were ignored, once it was read to its end; nil if there
    /// were none.
    package var ignoredZeros: UInt64? { zeros.withLock { $0 } }

    package func read(_ count: Int, until deadline: DispatchTime?) throws(Failure) -> Bytes? {
        if !hasStarted.exchange(true, ordering: .relaxed) {
            try startThread(in: decoding) { [self] in
                pieces.end(
                    Result { () throws(Failure) in
                        let summary = try job.run(from: source, to: Sink(pieces), latch: latch)
                        zeros.withLock { $0 = summary.ignoredZeros }
                    })
            }
        }
        return try pieces.take(count, until: deadline)
    }

    package func endWaiting() { pieces.endWaiting() }

    package func cancel() {
        latch.fail(.cancelled)
        pieces.close()
    }

    /// Ends the run if it has not come to its end.
    package func finish() {
        cancel()
        decoding.wait()
    }
}

/// Pieces between the run that makes them and the one that reads them. Each keeps its slots until it is read.
private final class PieceQueue: ByteSink {
    private struct State {
        var pieces: Deque<Piece> = []
        /// How the run ended that makes them; nil before.
        var outcome: Result<Void, Failure>?
        var isCancelled = false
        /// Whether nobody waits for more.
        var isEnding = false
    }

    let checksum: ChecksumSink
    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)

    init(_ checksum: ChecksumSink) { self.checksum = checksum }

    var isBounded: Bool { false }

    func write(_ piece: consuming Piece) throws(Failure) {
        checksum.append(piece.bytes)
        let piece = piece
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.pieces.append(piece) }
            return state.isCancelled
        }
        if isCancelled { throw .writing(.canceled) }
        arrival.signal()
    }

    /// The next bytes; none after the deadline, nil at the end.
    ///
    /// - Throws: the failure of the run that makes them, after all that it has made.
    func take(_ count: Int, until deadline: DispatchTime?) throws(Failure) -> Bytes? {
        while true {
            if state.withLock({ $0.isEnding }) { return Bytes() }
            let (bytes, write, outcome) = state.withLock {
                state -> (Bytes?, WriteCount.Write?, Result<Void, Failure>?) in
                guard let first = state.pieces.first?.bytes.count else { return (nil, nil, state.outcome) }
                let bytes = state.pieces[0].bytes.removeFirst(count)
                return (bytes, first <= count ? state.pieces.removeFirst().write : nil, nil)
            }
            write?.end()
            if let bytes { return bytes }
            if let outcome {
                try outcome.get()
                return nil
            }
            guard arrival.wait(timeout: deadline ?? .distantFuture) == .success else { return Bytes() }
        }
    }

    func endWaiting() {
        state.withLock { $0.isEnding = true }
        arrival.signal()
    }

    /// Ends the pieces; the first outcome counts.
    func end(_ outcome: Result<Void, Failure>) {
        state.withLock { $0.outcome = $0.outcome ?? outcome }
        arrival.signal()
    }

    /// Nothing waits here, and what was made before a failure is still read.
    func cancel() {}

    /// Drops everything, since nobody reads any more.
    func close() {
        let dropped = state.withLock { state in
            (state.isCancelled, state.outcome) = (true, .failure(.cancelled))
            defer { state.pieces = [] }
            return state.pieces
        }
        // Their memory goes, outside of the lock.
        withExtendedLifetime(dropped) {}
        arrival.signal()
    }
}

/// Computes the XXH64 of what a run makes, and writes nothing.
package final class ChecksumSink: ByteSink {
    private let state: Mutex<ContentChecksum>

    /// - Throws: `outOfMemory`.
    package init() throws(Failure) { state = Mutex(try codec(ContentChecksum())) }

    package var value: UInt64 { state.withLock { $0.wholeValue } }

    func append(_ bytes: Bytes) {
        state.withLock { state in bytes.forEachRegion { state.append($0) } }
    }

    package func write(_ piece: consuming Piece) {
        append(piece.bytes)
        piece.write?.end()
    }

    package func cancel() {}
}
