package import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// The kernel's name of these threads (`/proc/PID/task/TID/comm`), at most 15 bytes.
let ownThreadName = "sluice.run"

/// Runs a body on a new thread outside Swift's and Dispatch's pools, so that it may block for any time. Dispatch's pool
/// is limited to 255 threads; when all of them block, no channel is read or written.
///
/// The thread blocks all signals. Writing to a pipe without a reader is an error there, and does not raise SIGPIPE.
///
/// - Parameters:
///   - group: a group that waits for the body; nil for none.
///   - isSpare: whether the work is done without the thread, too. It then takes none that others wait for; otherwise,
///     in the command, this waits for a moment until other threads have ended.
/// - Throws: `outOfThreads`, before the body runs.
package func startThread(
    in group: DispatchGroup? = nil, isSpare: Bool = false, _ body: @escaping @Sendable () -> Void
) throws(Failure) {
    if isSpare, areThreadsScarce() { throw .outOfThreads(.resourceTemporarilyUnavailable) }
    group?.enter()
    let body = Unmanaged.passRetained(
        ThreadBody {
            body()
            group?.leave()
        })
    let code = withoutSignals {
        createThread(
            waits: !isSpare,
            { context in
                guard let context else { return nil }
                nameThread(ownThreadName)
                Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
    }
    guard code == 0 else {
        body.release()
        group?.leave()
        throw .outOfThreads(Errno(rawValue: code))
    }
}

/// The body of a thread, as a reference that C can carry.
private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Runs a body once per lane, all at the same time, the first one on the calling thread, and waits for them. Dispatch
/// would run at most as many at a time as there are processors.
///
/// Each body takes work until none is left, so lanes for which no thread can be started are left out.
package func runLanes(_ count: Int, _ body: @escaping @Sendable (_ lane: Int) -> Void) {
    let group = DispatchGroup()
    for lane in 1..<max(1, count) {
        do throws(Failure) { try startThread(in: group, isSpare: true) { body(lane) } } catch { break }
    }
    body(0)
    group.wait()
}

/// Runs a body once for each number below `count`, on lanes that each take the next number, and waits for them.
///
/// - Returns: the results, in the order of the numbers.
/// - Throws: the failure of the lowest number that failed.
package func runLanes<Success: Sendable>(
    _ lanes: Int, over count: Int, _ body: @escaping @Sendable (_ number: Int, _ lane: Int) throws(Failure) -> Success
) throws(Failure) -> [Success] {
    let next = Atomic(0)
    let outcomes = Mutex([Result<Success, Failure>?](repeating: nil, count: count))
    runLanes(min(lanes, count)) { lane in
        while true {
            let number = next.add(1, ordering: .relaxed).oldValue
            guard number < count else { return }
            let outcome = Result { () throws(Failure) in try body(number, lane) }
            outcomes.withLock { $0[number] = outcome }
        }
    }
    var results: [Success] = []
    for case let outcome? in outcomes.withLock({ $0 }) { results.append(try outcome.get()) }
    return results
}
