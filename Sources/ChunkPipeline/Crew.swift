package import ByteStreams
internal import Synchronization

/// The workers of all runs with the same crew, on threads of their own: each run has one worker, and shares the others.
///
/// So a run never waits for another one, which may be the one that it gets its data from; and a hundred runs have only
/// a hundred workers more than a single one.
package final class Crew: Sendable {
    /// The crew of a program's runs: as many shared workers as there are processors.
    package static let shared = Crew(shared: availableProcessors())

    private let free: Mutex<Int>

    /// - Parameter shared: workers beyond the first one of each run.
    package init(shared: Int) { free = Mutex(shared) }

    /// Shared workers that are free.
    package var available: Int { free.withLock { $0 } }

    /// Starts a worker, if one is free.
    ///
    /// - Parameter isFirst: whether the run has none yet.
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
