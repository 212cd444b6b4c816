internal import Dispatch
internal import SluiceEngine

/// A thread on which a Task lets work run that must not block the threads of Swift's concurrency.
enum CancellableThread {
    /// How long a cancelled Task waits for its thread, which may be in the middle of a frame, in milliseconds.
    private static let patience = 250

    /// Runs a body on a new thread, for which the calling Task waits.
    ///
    /// - Parameters:
    ///   - latch: fails with `cancelled` when the Task is cancelled.
    ///   - mayLeave: called some time after that; returns whether the cancelled Task may go on without the body.
    ///   - body: its waits have to end when the latch fails.
    /// - Throws: the failure of the body; `cancelled`, `outOfThreads`.
    static func run<Success: Sendable>(
        latch: FailureLatch = FailureLatch(), mayLeave: @escaping @Sendable () -> Bool = { true },
        _ body: @escaping @Sendable (FailureLatch) throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        let end = FirstOutcome<Result<Success, Failure>>()
        let outcome = await withTaskCancellationHandler {
            do throws(Failure) {
                try startThread {
                    end.offer(
                        Result { () throws(Failure) in
                            try latch.check()
                            return try body(latch)
                        })
                }
            } catch {
                end.offer(.failure(error))
            }
            return await end.wait()
        } onCancel: {
            latch.fail(.cancelled)
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(patience)) {
                if mayLeave() { end.offer(.failure(.cancelled)) }
            }
        }
        return try outcome.get()
    }
}
