internal import DequeModule
internal import SluiceEngine
internal import Synchronization

/// Hands the output of a run to a Task, which is suspended until more comes.
final class BufferSink: ByteSink {
    private typealias Waiter = CheckedContinuation<Result<Bytes?, any Error>, Never>

    private struct State {
        var pieces: Deque<Piece> = []
        /// The end of the output; nil before.
        var outcome: Result<Void, any Error>?
        var isCancelled = false
        var consumer: Waiter?
    }

    private let state = Mutex(State())

    /// What the consumer has not taken keeps its slots.
    var isBounded: Bool { false }

    func write(_ piece: consuming Piece) throws(Failure) {
        let piece = piece
        let (consumer, isCancelled) = state.withLock { state -> (Waiter?, Bool) in
            if state.isCancelled { return (nil, true) }
            let consumer = state.consumer.take()
            if consumer == nil { state.pieces.append(piece) }
            return (consumer, false)
        }
        if isCancelled { throw .writing(.canceled) }
        guard let consumer else { return }
        piece.write?.end()
        consumer.resume(returning: .success(piece.bytes))
    }

    func cancel() {
        let dropped = state.withLock { state in
            state.isCancelled = true
            defer { state.pieces = [] }
            return state.pieces
        }
        // Their memory goes, outside of the lock.
        withExtendedLifetime(dropped) {}
    }

    /// Ends the output; the first outcome counts.
    func end(_ outcome: Result<Void, any Error>) {
        let consumer = state.withLock { state in
            if state.outcome == nil { state.outcome = outcome }
            return state.consumer.take()
        }
        consumer?.resume(returning: outcome.map { nil })
    }

    /// Waits for the next bytes, for one consumer; nil at the end.
    func next() async throws -> Bytes? {
        let outcome: Result<Bytes?, any Error> = await withCheckedContinuation { continuation in
            let (ready, write) = state.withLock { state -> (Result<Bytes?, any Error>?, WriteCount.Write?) in
                if let piece = state.pieces.popFirst() { return (.success(piece.bytes), piece.write) }
                if state.outcome == nil { state.consumer = continuation }
                return (state.outcome?.map { nil }, nil)
            }
            write?.end()
            if let ready { continuation.resume(returning: ready) }
        }
        return try outcome.get()
    }
}
