package import ByteStreams
internal import Synchronization

/// The workers of all runs that use this pool, on their own threads. Each run has one worker to itself and shares the
/// others.
///
/// So a run never waits for another one, which might be the source of its data; and each further run adds only one
/// worker.
package final class WorkerPool: Sendable {
    /// The pool of all runs of a program, with as many shared workers as there are processors.
    package static let shared = WorkerPool(shared: availableProcessors())

    private let free: Mutex<Int>

    /// - Parameter shared: the number of workers besides the first one of each run.
    package init(shared: Int) { free = Mutex(shared) }

    /// The number of idle shared workers.
    package var available: Int { free.withLock { $0 } }

    /// Starts a worker if one is available.
    ///
    /// - Parameter isFirst: whether this is the run's first worker, which is always available.
    /// - Returns: whether it was started.
    /// - Throws: `outOfThreads` if the first one can't be started.
    package func start(isFirst: Bool, _ work: @escaping @Sendable () -> Void) throws(Failure) -> Bool {
        let isStarted =
            isFirst
            || free.withLock { free in
                guard free > 0 else { return false }
                free -= 1
                return true
            }
        guard isStarted else { return false }
        let give = { @Sendable [self] in if !isFirst { free.withLock { $0 += 1 } } }
        do throws(Failure) {
            try startThread {
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
