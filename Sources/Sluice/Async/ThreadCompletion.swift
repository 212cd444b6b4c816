internal import ByteStreams
internal import Dispatch
internal import Synchronization
internal import SystemPackage

/// Where a Task waits for what a thread does for it. The first outcome counts.
final class ThreadCompletion<Success: Sendable>: Sendable {
    private typealias Outcome = Result<Success, Failure>

    private struct State {
        var outcome: Outcome?
        var waiter: CheckedContinuation<Outcome, Never>?
    }

    /// How long a Task that was cancelled waits for its thread, which may be in the middle of a frame, in milliseconds.
    private static var patience: Int { 250 }

    private let state = Mutex(State())

    private init() {}

    /// Runs a body on a thread of its own, for which the calling Task waits.
    ///
    /// - Parameters:
    ///   - latch: is failed with `cancelled` when the Task is cancelled, which has to end what the body waits for.
    ///   - mayLeave: asked then, when the body takes its time to end: whether the Task may go on without it.
    /// - Throws: what the body does; `cancelled`, `outOfThreads`.
    static func onThread(
        latch: FailureLatch, mayLeave: @escaping @Sendable () -> Bool = { true },
        _ body: @escaping @Sendable () throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        let landing = ThreadCompletion()
        let outcome = await withTaskCancellationHandler {
            do throws(Errno) {
                try startThread {
                    landing.land(
                        Result { () throws(Failure) in
                            try latch.check()
                            return try body()
                        })
                }
            } catch {
                landing.land(.failure(.outOfThreads(error)))
            }
            return await landing.outcome()
        } onCancel: {
            latch.fail(.cancelled)
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(patience)) {
                if mayLeave() { landing.land(.failure(.cancelled)) }
            }
        }
        return try outcome.get()
    }

    private func land(_ outcome: Outcome) {
        let waiter = state.withLock { state in
            if state.outcome == nil { state.outcome = outcome }
            return state.waiter.take()
        }
        waiter?.resume(returning: state.withLock { $0.outcome } ?? outcome)
    }

    private func outcome() async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.waiter = continuation }
                return state.outcome
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}
