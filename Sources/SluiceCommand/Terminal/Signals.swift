import Dispatch
import Glibc
import Sluice
import Synchronization
import SystemPackage

/// Ends the process by the signals that ask for it, with nothing left behind.
///
/// A signal that was ignored at the start stays ignored. Until `start` each does what it does by itself: that leaves
/// nothing behind either, as long as nothing was made that has a name.
final class Signals: Sendable {
    private static let deadly = [SIGINT, SIGTERM, SIGHUP]
    /// A run that is blocked in the kernel is not waited for longer than this.
    private static let grace = DispatchTimeInterval.milliseconds(250)

    private let queue = DispatchQueue(label: "sluice.signals", qos: .userInteractive)
    private let latch: FailureLatch
    private let inputEnd: InputEnd
    private let console: Console
    /// What to do after an interruption.
    private let hint: String?
    private let hasSaidFarewell = Atomic(false)
    private let received = Atomic<Int32>(0)
    private let hasEnded = Atomic(false)
    /// When the input was asked to end, in nanoseconds.
    private let asked = Atomic<UInt64>(0)
    /// Signals that come so soon after that one are the same, in nanoseconds.
    private static let patience: UInt64 = 500_000_000
    private struct Watch {
        let number: Int32
        let queue: DispatchQueue
        let action: @Sendable () -> Void
    }

    private struct State {
        var hasStarted = false
        /// What is watched from the start on.
        var planned: [Watch] = []
        var sources: [DispatchSource] = []
    }

    private let state = Mutex(State())
    private let diesOfPipe: Bool
    private let diesOfFileSize: Bool

    /// - Parameters:
    ///   - latch: ends the run when a signal comes.
    ///   - inputEnd: ends the input instead, if a run goes on that has a live stream for it: what was read is written
    ///     before the process dies, unless a second signal comes.
    ///   - console: is cleared of the bar before the process dies.
    ///   - hint: what can be done afterwards, which is said then; nil for nothing.
    ///
    /// It starts by itself when a file gets a temporary name.
    init(latch: FailureLatch, inputEnd: InputEnd, console: Console, hint: String? = nil) {
        self.latch = latch
        self.inputEnd = inputEnd
        self.console = console
        self.hint = hint
        // As errors of write they end the run like others do; afterwards the process dies by the signal all the same.
        diesOfPipe = Self.ignore(SIGPIPE)
        diesOfFileSize = Self.ignore(SIGXFSZ)
        for number in Self.deadly where !Self.isIgnored(number) {
            watch(number) { [self] in interrupt(number) }
        }
        TemporaryFiles.beforeFirst { [self] in start() }
    }

    /// Calls `action`, on a queue of its own, whenever the signal comes from the start on.
    func watch(_ number: Int32, on queue: DispatchQueue? = nil, _ action: @escaping @Sendable () -> Void) {
        let watch = Watch(number: number, queue: queue ?? self.queue, action: action)
        let isDue = state.withLock { state in
            if !state.hasStarted { state.planned.append(watch) }
            return state.hasStarted
        }
        if isDue { activate(watch) }
    }

    /// Watches the signals from now on, which takes threads: whoever makes what a signal must not leave behind, or may
    /// be waited for, or watched, calls it before.
    func start() {
        let planned = state.withLock { state in
            defer { state.planned = [] }
            state.hasStarted = true
            return state.planned
        }
        guard !planned.isEmpty else { return }
        Self.hold(planned.map(\.number).filter(Self.deadly.contains))
        planned.forEach(activate)
    }

    /// Keeps deadly signals for the sources, which Dispatch begins to watch a moment later: threads that it starts, and
    /// ours, take none.
    private static func hold(_ numbers: [Int32]) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    private func activate(_ watch: Watch) {
        let source = DispatchSource.made(
            DispatchSource.makeSignalSource(signal: watch.number, queue: watch.queue))
        source.setEventHandler { @Sendable in watch.action() }
        source.activate()
        state.withLock { $0.sources.append(source) }
    }

    /// The signal that ended the run, if one did: one that came, or the one that stands for an error of writing.
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

    /// Says once what to do after an interruption, if there is anything.
    func sayFarewell(_ number: Int32) {
        guard let hint, !hasSaidFarewell.exchange(true, ordering: .acquiringAndReleasing) else { return }
        console.error("interrupted by \(Self.name(of: number))", hint: hint)
    }

    /// Ends the process by the signal, as if it had not been caught.
    static func die(by number: Int32) -> Never {
        StandardDescriptors.restore()
        var core = rlimit()
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &core)
        signal(number, SIG_DFL)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
        _exit(128 + number)
    }

    private func interrupt(_ number: Int32) {
        _ = received.compareExchange(expected: 0, desired: number, ordering: .acquiringAndReleasing)
        if inputEnd.ask() { return asked.store(Span.now(), ordering: .releasing) }
        // Whoever signals a process, and then its group, means one signal.
        if inputEnd.isAsked, Span.now() < asked.load(ordering: .acquiring) + Self.patience { return }
        let (isFirst, _) = hasEnded.compareExchange(
            expected: false, desired: true, ordering: .acquiringAndReleasing)
        latch.fail(.cancelled)
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + Self.grace) { [self, console] in
            TemporaryFiles.removeAllForGood()
            // A terminal that takes nothing any more must not keep the process alive.
            let cleared = DispatchSemaphore(value: 0)
            DispatchQueue(label: "sluice.farewell").async {
                console.close()
                self.sayFarewell(number)
                cleared.signal()
            }
            _ = cleared.wait(timeout: .now() + Self.grace)
            Self.die(by: number)
        }
    }

    /// Such as SIGINT.
    static func name(of number: Int32) -> String {
        let names = [
            SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP", SIGPIPE: "SIGPIPE", SIGXFSZ: "SIGXFSZ",
        ]
        return names[number] ?? "signal \(number)"
    }

    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    /// Ignores the signal; returns whether it would have ended the process.
    private static func ignore(_ number: Int32) -> Bool {
        let wasIgnored = isIgnored(number)
        signal(number, SIG_IGN)
        return !wasIgnored
    }
}
