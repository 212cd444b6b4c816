internal import CKernel
package import Dispatch
internal import Glibc
package import SystemPackage

/// What the kernel calls these threads (`/proc/PID/task/TID/comm`), in 15 bytes at most.
let ownThreadName = "sluice.run"

/// Runs a body on a thread of its own, which is neither Swift's nor Dispatch's: it may wait for as long as it likes.
///
/// Signals are left to other threads. To one whose reader is gone it gets an error here, and the process no SIGPIPE.
///
/// - Throws: why there can be no other thread.
package func startThread(_ body: @escaping @Sendable () -> Void) throws(Errno) {
    let body = Unmanaged.passRetained(ThreadBody(run: body))
    var (all, former) = (sigset_t(), sigset_t())
    sigfillset(&all)
    // A thread begins with the mask of who made it.
    pthread_sigmask(SIG_SETMASK, &all, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    var thread = pthread_t()
    let code = pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            // For those who look at the threads of a process.
            sluice_name_thread(ownThreadName)
            Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }, body.toOpaque())
    guard code == 0 else {
        body.release()
        throw Errno(rawValue: code)
    }
    pthread_detach(thread)
}

/// Runs a body on a thread of its own, for which a group waits.
///
/// Threads of Dispatch are not for what waits: its pool ends at 255 of them, and then nothing is read or written.
///
/// - Throws: why there can be no other thread.
package func startThread(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) throws(Errno) {
    group.enter()
    do throws(Errno) {
        try startThread {
            body()
            group.leave()
        }
    } catch {
        group.leave()
        throw error
    }
}

/// What a thread runs, as a reference that C can carry.
private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
}
