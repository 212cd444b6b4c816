package import ByteStreams
internal import Dispatch
internal import Synchronization

/// The workers of all runs that use this pool, on their own threads. Each run has one worker to itself and shares the
/// others.
///
/// So a run never waits for another one, which might be the source of its data; and each further run adds only one
/// worker. It does wait while cancelled runs have left many workers behind in the middle of a frame: these depend on
/// nothing, and would otherwise grow in number with each client that connects and goes.
package final class WorkerPool: Sendable {
    /// The pool of all runs of a program, with as many shared workers as there are processors.
    package static let shared = WorkerPool(shared: availableProcessors())

    private struct State {
        var free: Int
        /// First workers of cancelled runs that still work.
        var left = 0
        /// Runs that wait until there are fewer of those.
        var waiting: [DispatchSemaphore] = []
    }

    private let state: Mutex<State>
    private let mostLeft: Int

    /// - Parameter shared: the number of workers besides the first one of each run, and of those that cancelled runs
    ///   may leave behind before new runs wait.
    package init(shared: Int) {
        state = Mutex(State(free: shared))
        mostLeft = max(1, shared)
    }

    /// How many more shared workers may be started.
    package var available: Int { state.withLock { $0.free } }
    /// The number of first workers that cancelled runs have left behind and that have not ended yet.
    package var left: Int { state.withLock { $0.left } }

    /// Counts a first worker that a cancelled run has left behind, or its end.
    func didLeave(_ change: Int) {
        let waiting = state.withLock { state in
            state.left += change
            defer { if change < 0 { state.waiting = [] } }
            return change < 0 ? state.waiting : []
        }
        for run in waiting { run.signal() }
    }

    /// Waits until a run may begin.
    ///
    /// - Throws: the failure of the run, if that ends the waiting.
    func waitForRoom(_ latch: FailureLatch) throws(Failure) {
        if state.withLock({ $0.left < mostLeft }) { return }
        let wake = DispatchSemaphore(value: 0)
        let number = latch.onFailure { wake.signal() }
        defer { latch.forget(number) }
        while state.withLock({ state in
            if state.left >= mostLeft { state.waiting.append(wake) }
            return state.left >= mostLeft
        }) {
            try latch.check()
            wake.wait()
        }
    }

    /// Starts a worker if one is available.
    ///
    /// - Parameter isFirst: whether this is the run's first worker, which is always available.
    /// - Returns: whether it was started.
    /// - Throws: `outOfThreads` if the first one can't be started.
    package func start(isFirst: Bool, _ work: @escaping @Sendable () -> Void) throws(Failure) -> Bool {
        let isStarted =
            isFirst
            || state.withLock { state in
                guard state.free > 0 else { return false }
                state.free -= 1
                return true
            }
        guard isStarted else { return false }
        let give = { @Sendable [self] in if !isFirst { state.withLock { $0.free += 1 } } }
        do throws(Failure) {
            try startThread(isSpare: !isFirst) {
                work()
                give()
            }
            return true
        } catch {
            if isFirst { throw error }
            give()
            return false
        }
    }
}
