import Dispatch
import Glibc
import SluiceEngine
import Synchronization

/// Handles deadly signals, so that the process ends without leaving temporary files.
///
/// A signal that was ignored at the start stays ignored. Until `start` the default actions apply, which leave nothing
/// behind either, as long as no file has a name.
final class Signals: Sendable {
    private static let deadly = [SIGINT, SIGTERM, SIGHUP]
    /// The longest wait for a run that is blocked in the kernel, or in the middle of a large frame.
    private static let grace = DispatchTimeInterval.milliseconds(250)
    /// The same for a run whose input is a command's output: the command has two seconds to end. And for one that
    /// writes an object of a store, which has as long to drop what it has got.
    private static let longGrace = DispatchTimeInterval.milliseconds(2500)

    private let queue = DispatchQueue(label: "sluice.signals", qos: .userInteractive)
    private let latch: FailureLatch
    private let inputEnd: InputEnd
    private let console: Console
    private let hasSaidFarewell = Atomic(false)
    private let received = Atomic<Int32>(0)
    private let hasEnded = Atomic(false)
    /// When the input was asked to end, in nanoseconds.
    private let asked = Atomic<UInt64>(0)
    /// Nanoseconds within which further signals count as the same one.
    private static let patience: UInt64 = 500_000_000

    private struct Watch {
        let number: Int32
        let queue: DispatchQueue
        let action: @Sendable () -> Void
    }

    private struct State {
        /// Watches that `start` will activate; nil from then on.
        var planned: [Watch]? = []
        var sources: [DispatchSource] = []
        var advice: (@Sendable () -> String?)?
        var lastAct: (@Sendable (Int32) -> Void)?
        /// Passes a signal on.
        var relay: (@Sendable (Int32) -> Void)?
        var waitsForStore = false
    }

    private let state = Mutex(State())
    private let diesOfPipe: Bool
    private let diesOfFileSize: Bool

    /// - Parameters:
    ///   - latch: ends the run when a signal comes.
    ///   - inputEnd: ends the input instead, if the run reads a live stream: data already read is written before the
    ///     process dies, unless a second signal comes.
    ///   - console: is cleared of the progress line before the process dies.
    ///
    /// `start` is called automatically when the first temporary file gets a name.
    init(latch: FailureLatch, inputEnd: InputEnd, console: Console) {
        self.latch = latch
        self.inputEnd = inputEnd
        self.console = console
        // Ignored, they become write errors, which end the run like other errors; afterwards the process still dies by
        // the signal.
        diesOfPipe = Self.ignore(SIGPIPE)
        diesOfFileSize = Self.ignore(SIGXFSZ)
        for number in Self.deadly where !Self.isIgnored(number) {
            watch(number) { [self] in interrupt(number) }
        }
        TemporaryFiles.beforeFirst { [self] in start() }
    }

    /// Calls `action` on `queue` whenever the signal comes after `start`.
    func watch(_ number: Int32, on queue: DispatchQueue? = nil, _ action: @escaping @Sendable () -> Void) {
        let watch = Watch(number: number, queue: queue ?? self.queue, action: action)
        let isDue = state.withLock { state in
            state.planned?.append(watch)
            return state.planned == nil
        }
        if isDue { activate(watch) }
    }

    /// Starts watching signals, which takes threads. To be called before creating anything that a signal must not leave
    /// behind, and before anything that may take long or is observed.
    func start() {
        guard let planned = state.withLock({ $0.planned.take() }) else { return }
        // Block the signals in this thread, and so in those that it starts: the sources begin to watch a moment later.
        Self.mask(SIG_BLOCK, planned.map(\.number).filter(Self.deadly.contains))
        planned.forEach(activate)
    }

    private static func mask(_ how: Int32, _ numbers: [Int32]) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(how, &set, nil)
    }

    private func activate(_ watch: Watch) {
        let source = DispatchSource.made(
            DispatchSource.makeSignalSource(signal: watch.number, queue: watch.queue))
        source.setEventHandler { @Sendable in watch.action() }
        source.activate()
        state.withLock { $0.sources.append(source) }
    }

    /// The signal that ended the run, if one did: one that was received, or the one that a write error stands for.
    func cause(of failure: Failure?) -> Int32? {
        let number = received.load(ordering: .acquiring)
        if number != 0 { return number }
        guard let failure, failure.code == .writing else { return nil }
        switch failure.errno {
        case .brokenPipe where diesOfPipe: return SIGPIPE
        case .fileTooLarge where diesOfFileSize: return SIGXFSZ
        default: return nil
        }
    }

    /// Sets the closure that returns the hint to print after an interruption from now on.
    func advise(_ advice: (@Sendable () -> String?)?) { state.withLock { $0.advice = advice } }

    /// Sets what is done before the process dies without its run having ended.
    func beforeDeath(_ act: @escaping @Sendable (Int32) -> Void) { state.withLock { $0.lastAct = act } }

    /// Sets the closure that passes each signal on to a command, which then has time to end before the process dies.
    func pass(to relay: @escaping @Sendable (Int32) -> Void) { state.withLock { $0.relay = relay } }

    /// Gives an object store time to end an upload before the process dies.
    func waitForStore() { state.withLock { $0.waitsForStore = true } }

    /// Prints the advice after an interruption, once.
    func sayFarewell(_ number: Int32) {
        guard let hint = state.withLock({ $0.advice })?(),
            !hasSaidFarewell.exchange(true, ordering: .acquiringAndReleasing)
        else { return }
        console.error(Self.interruption(number), hint: hint)
    }

    /// Ends the process by the signal's default action.
    static func die(by number: Int32) -> Never {
        StandardDescriptors.restore()
        // No core file, which SIGXFSZ would leave by default.
        var core = rlimit()
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &core)
        signal(number, SIG_DFL)
        mask(SIG_UNBLOCK, [number])
        raise(number)
        _exit(128 + number)
    }

    private func interrupt(_ number: Int32) {
        // The first signal counts as the cause.
        _ = received.compareExchange(expected: 0, desired: number, ordering: .acquiringAndReleasing)
        if inputEnd.ask() { return asked.store(StageSpan.now(), ordering: .releasing) }
        // A sender that signals a process and then its group means one signal.
        if inputEnd.isAsked, StageSpan.now() < asked.load(ordering: .acquiring) + Self.patience { return }
        let isFirst = !hasEnded.exchange(true, ordering: .acquiringAndReleasing)
        let (relay, waitsForStore) = state.withLock { ($0.relay, $0.waitsForStore) }
        relay?(number)
        defer { latch.fail(.cancelled) }
        guard isFirst else { return }
        let isLong = relay != nil || waitsForStore
        queue.asyncAfter(deadline: .now() + (isLong ? Self.longGrace : Self.grace)) { [self, console] in
            // Only a run that has not ended by now gets here. A blocked terminal must neither keep the process alive,
            // nor keep files from being written.
            let acts = DispatchGroup()
            DispatchQueue(label: "sluice.farewell").async(group: acts) {
                console.close()
                self.sayFarewell(number)
            }
            DispatchQueue(label: "sluice.statistics").async(group: acts) { self.state.withLock { $0.lastAct }?(number) }
            _ = acts.wait(timeout: .now() + Self.grace)
            TemporaryFiles.removeAllForGood()
            Self.die(by: number)
        }
    }

    /// What happened, such as `interrupted by SIGINT`.
    static func interruption(_ number: Int32) -> String {
        let names = [
            SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP", SIGPIPE: "SIGPIPE", SIGXFSZ: "SIGXFSZ",
        ]
        return "interrupted by \(names[number] ?? "signal \(number)")"
    }

    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        // 1 is SIG_IGN: Swift can't compare pointers to functions.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    /// Ignores the signal; returns whether it was not ignored before.
    private static func ignore(_ number: Int32) -> Bool {
        let wasIgnored = isIgnored(number)
        signal(number, SIG_IGN)
        return !wasIgnored
    }
}
