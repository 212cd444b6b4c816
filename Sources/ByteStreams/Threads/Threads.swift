package import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// The kernel's name for these threads (`/proc/PID/task/TID/comm`), of 15 bytes at most.
let ownThreadName = "sluice.run"

/// Runs a body on a thread of its own, which is neither Swift's nor Dispatch's: it may wait for any time. Dispatch's
/// pool ends at 255 threads, after which no channel is read or written.
///
/// Signals are left to other threads. A write to a pipe without a reader is an error there, and no SIGPIPE.
///
/// - Parameter group: waits for the body; nil for none.
/// - Throws: `outOfThreads`, at once.
package func startThread(
    in group: DispatchGroup? = nil, _ body: @escaping @Sendable () -> Void
) throws(Failure) {
    group?.enter()
    let body = Unmanaged.passRetained(
        ThreadBody {
            body()
            group?.leave()
        })
    let code = withoutSignals {
        createThread(
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

/// Runs a body once for each lane, all at the same time, and waits for them: the first one on the calling thread.
/// Dispatch would run no more at a time than there are processors.
///
/// Each body takes work until none is left, so lanes that get no thread are left out.
package func runLanes(_ count: Int, _ body: @escaping @Sendable (_ lane: Int) -> Void) {
    let group = DispatchGroup()
    for lane in 1..<max(1, count) {
        do throws(Failure) { try startThread(in: group) { body(lane) } } catch { break }
    }
    body(0)
    group.wait()
}

/// Runs a body once for each number below a count, on lanes that take the next number each, and waits for them.
///
/// - Returns: the results, in the order of the numbers.
/// - Throws: the failure of the lowest number that has one.
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
