internal import Dispatch
internal import SystemPackage

/// Runs a body once for each lane, all at the same time, and waits for them: the first on the calling thread, the
/// others on threads of their own. Dispatch would run no more at a time than there are processors.
///
/// Each body takes the next piece of work until none is left: lanes for which the system has no thread are missed out.
package func runLanes(_ count: Int, _ body: @escaping @Sendable (_ lane: Int) -> Void) {
    let group = DispatchGroup()
    for lane in 1..<max(1, count) {
        do throws(Errno) { try startThread(in: group) { body(lane) } } catch { break }
    }
    body(0)
    group.wait()
}
