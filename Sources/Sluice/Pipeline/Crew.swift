internal import ByteStreams
internal import Synchronization
internal import SystemPackage

/// The workers of all the runs that have the same crew, on threads of their own: each run has one of them, and those
/// beyond that are shared.
///
/// So a run never waits for another one to begin or to end, which may be the one that it gets its data from; and a
/// hundred of them have a hundred workers, and as many more as one has that is alone.
final class Crew: Sendable {
    /// For everything that programs run at once: as many as there are processors.
    static let shared = Crew(shared: availableProcessors())

    private let free: Mutex<Int>

    /// - Parameter shared: workers beyond the first one of each run.
    init(shared: Int) { free = Mutex(shared) }

    /// Workers beyond the first one of each run that could be had now.
    var available: Int { free.withLock { $0 } }

    /// Starts a worker, if there is one to be had.
    ///
    /// - Parameter isFirst: whether the run has none yet.
    /// - Returns: whether there was.
    /// - Throws: `outOfThreads` if the first one can't be started.
    func start(isFirst: Bool, _ work: @escaping @Sendable () -> Void) throws(Failure) -> Bool {
        guard isFirst || take() else { return false }
        do throws(Failure) {
            try startThread { [self] in
                work()
                if !isFirst { give() }
            }
            return true
        } catch {
            if isFirst { throw error }
            give()
            return false
        }
    }

    private func take() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    private func give() { free.withLock { $0 += 1 } }
}
