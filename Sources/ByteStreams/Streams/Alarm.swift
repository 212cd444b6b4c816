internal import Dispatch
internal import Synchronization

/// Lets one thread sleep until a given time, with a timer source. `cancel` wakes it, and prevents all later sleep.
final class Alarm: Sendable {
    private let timer: DispatchSource
    private let isCancelled = Atomic(false)
    private let ring = DispatchSemaphore(value: 0)

    init() {
        timer = .made(DispatchSource.makeTimerSource(queue: DispatchQueue(label: "sluice.alarm")))
        timer.setEventHandler { @Sendable [ring] in ring.signal() }
        timer.activate()
    }

    deinit { timer.cancel() }

    /// - Returns: false after `cancel`.
    func sleep(until time: DispatchTime) -> Bool {
        guard !isCancelled.load(ordering: .acquiring) else { return false }
        if time > .now() {
            timer.schedule(deadline: time, leeway: .nanoseconds(0))
            ring.wait()
        }
        return !isCancelled.load(ordering: .acquiring)
    }

    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        ring.signal()
    }
}
