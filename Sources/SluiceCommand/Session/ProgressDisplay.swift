import Dispatch
import Glibc
import SluiceEngine
import Synchronization

/// Shows the progress of one command over all its files.
final class ProgressDisplay: Sendable {
    private struct State {
        /// The operand that was begun last.
        var operand: FilePath?
        /// What is waited for at the end, as a sentence.
        var awaited: String?
        /// Bytes of the input that are known to be processed.
        var reached: UInt64 = 0
        var recentRate = RecentRate()
        var movement = Movement()
        /// The second of the last line for a log.
        var lastSecond: time_t?
        var lastTick = 0.0
        /// When the process was asked to stop; nil while it runs.
        var stopped: Double?
        /// Seconds for which the process was stopped.
        var paused = 0.0
        /// Files that are done, failed ones included. A small file whose name is taken is counted twice.
        var filesDone = 0
        /// The totals, once they are final.
        var final = Summary()
        /// Whether everything is done, however little of the input that took.
        var isDone = false
    }

    /// The time of day of the end is shown if more than these seconds remain, or after six times as many have passed.
    private static let longRun = 600.0
    /// Seconds before a bar appears.
    private static let barDelay = 0.3
    /// The columns of a line that a signal asks for.
    private static let askedWidth = 80
    /// If the timer is more than this many seconds late, the process was stopped.
    private static let longestDelay = 1.0

    private let total: TotalSize
    private let counter: ProgressCounter
    private let monitor: Monitor
    private let console: Console
    private let settings: Settings
    /// Not `auto`.
    private let style: ProgressStyle
    /// Whether the bar's last line stays.
    private let keepsBar: Bool
    /// Seconds between updates.
    private let interval: Double
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "sluice.terminal")
    /// Nil if nothing is shown.
    private let timer: DispatchSource?

    init(
        _ style: ProgressStyle, of total: TotalSize, _ counter: ProgressCounter, _ monitor: Monitor,
        _ settings: Settings,
        _ console: Console
    ) {
        self.total = total
        self.counter = counter
        self.monitor = monitor
        self.settings = settings
        self.style = style
        self.console = console
        keepsBar = style == .bar && settings.keepsBar
        let standard: Double =
            switch style {
            case .bar: 0.1
            case .json: 1
            case .plain, .none, .auto: 3
            }
        interval = settings.reporting.interval ?? standard
        let timer = style == .none ? nil : DispatchSource.makeTimerSource(queue: queue)
        self.timer = timer.map { DispatchSource.made($0) }
        guard let timer else { return }
        let delay = style == .bar ? max(Self.barDelay, settings.reporting.interval ?? 0) : interval
        timer.schedule(deadline: .now() + delay, repeating: interval, leeway: .milliseconds(10))
        timer.setEventHandler { @Sendable [weak self] in self?.tick() }
        timer.activate()
    }

    deinit { timer?.cancel() }

    /// Announces the next file; of several at once the last one is shown.
    func begin(_ operand: FilePath) {
        state.withLock { $0.operand = operand }
    }

    /// Shows what the run waits for at its end, as a sentence; nil if it waits for nothing.
    func showAwaited(_ sentence: String?) { state.withLock { $0.awaited = sentence } }

    func endFile() { state.withLock { $0.filesDone += 1 } }

    /// Prints a line now, in any style.
    func printLine() {
        console.write(line(hasBar: false).render(width: Self.askedWidth) + "\n")
    }

    /// Prints a line for a log, with the time of day; at most one each second.
    private func log() {
        let second = time(nil)
        let isNew = state.withLock { state in
            defer { state.lastSecond = second }
            return state.lastSecond != second
        }
        guard isNew, let now = LocalTime(Int64(second)) else { return }
        console.write("\(now.clock) \(line(hasBar: false).render(width: .max))\n")
    }

    /// Redraws for another size of the terminal.
    func didResize() {
        if style == .bar { queue.async { self.tick() } }
    }

    /// Clears the bar before the process stops.
    func willStop() {
        state.withLock { $0.stopped = clock() }
        if style == .bar { console.show("") }
    }

    /// Continues after a stop, whose time does not count.
    func didContinue() {
        state.withLock { resume(&$0) }
        didResize()
    }

    /// Adds the time for which the process was stopped, if it was.
    private func resume(_ state: inout State) {
        let now = clock()
        if let stopped = state.stopped {
            state.paused += now - stopped
        } else if state.lastTick > 0, now - state.lastTick - interval > Self.longestDelay {
            // The stop was not announced.
            state.paused += now - state.lastTick - interval
        }
        state.stopped = nil
        state.lastTick = now
    }

    /// Shows the final state and ends the display.
    ///
    /// - Parameters:
    ///   - total: the totals of the complete files.
    ///   - files: the number of finished files, including failed ones.
    ///   - isDone: whether none has failed.
    func finish(_ total: Summary, files: Int, isDone: Bool) {
        state.withLock { state in
            state.final = total
            state.isDone = isDone
            state.filesDone = max(state.filesDone, files)
            // Without an output, the content that has passed the test counts instead.
            if !settings.activity.hasOutput { state.final.bytesOut = total.contentSize }
        }
        // On the timer's queue: a drawing in progress completes before, and none follows.
        queue.sync {
            if style == .json { tick() }
            timer?.cancel()
            console.close(leaving: keepsBar ? line(isLast: true).render(width: Self.width) : "")
        }
    }

    private func tick() {
        state.withLock { resume(&$0) }
        // A terminal that takes long to draw does not count as a stop.
        defer { state.withLock { $0.lastTick = clock() } }
        switch style {
        case .bar where Self.isInForeground:
            let line = line()
            console.show(
                line.render(width: Self.width), knowsEnd: line.progress.totalBytes != nil,
                fraction: line.progress.fraction)
        case .plain:
            log()
        case .json:
            console.write(JSON.line(snapshot()) + "\n")
        case .bar, .auto, .none:
            break
        }
    }

    private func line(hasBar: Bool = true, isLast: Bool = false) -> ProgressLine {
        let progress = snapshot()
        let remaining = progress.remainingSeconds ?? 0
        let isLong = remaining > Self.longRun || remaining > 0 && progress.elapsedSeconds > 6 * Self.longRun
        return ProgressLine(
            progress: progress, finish: isLong ? Self.timeOfDay(in: remaining) : nil, hasBar: hasBar,
            isCopy: settings.activity.content == .both, hasRatio: settings.hasRatio, isLast: isLast)
    }

    /// The columns available for a line; the last one stays free.
    private static var width: Int { max(0, Console.terminalWidth - 1) }

    /// Seconds since the start.
    private func clock() -> Double { Double(StageSpan.now() - console.start) / 1e9 }

    private func snapshot() -> ProgressSnapshot {
        var snapshot = ProgressSnapshot()
        // First, because it may take a while.
        snapshot.totalBytes = total.bytes
        snapshot.isEstimate = total.isEstimate
        let files = total.files
        let (bytesIn, slots, deliveries) = (counter.bytesIn, monitor.slots, monitor.deliveries)
        // Frames that are done, but wait for the output, do not count: a full disk may never take them.
        let consumed = deliveries.sum.sourceBytes + monitor.consumedWithinFrames
        let isInputAwaited = monitor.busyWorkers == 0 && !deliveries.isWriting
        if settings.limits.buffer > 0, slots.count > 0 {
            snapshot.bufferFill = Double(slots.inUse) / Double(slots.count)
        }
        state.withLock { state in
            let operand = state.operand.flatMap { $0.isStandardInput ? nil : $0 }
            snapshot.file = settings.reporting.label ?? operand?.spelled ?? settings.input.command?.name.string
            snapshot.name = name(of: state.operand)
            if let sentence = state.awaited { (snapshot.file, snapshot.name) = (sentence, nil) }
            snapshot.fileBase64 = settings.reporting.label == nil ? operand.flatMap { JSON.base64($0.bytes) } : nil
            snapshot.files = files
            snapshot.filesDone = min(files, state.filesDone)
            if settings.compression.options.adaptiveLevels != nil {
                // The level at the start keeps the field's place before anything is compressed.
                snapshot.level = monitor.levelUse?.latest ?? settings.compression.options.level
            }
            setSizes(
                &snapshot, bytesIn: bytesIn, deliveries.sum, reached: isInputAwaited ? bytesIn : consumed, &state)
            let activity = settings.activity
            let amounts = [snapshot.bytesIn, deliveries.sum.sourceBytes, deliveries.sum.madeBytes]
            let isBusy = monitor.busyWorkers > 0
            state.movement.note(amounts, isBusy: isBusy, isWriting: deliveries.isWriting, at: clock() - state.paused)
            setTimes(&snapshot, activity.content.size(input: state.reached, output: snapshot.bytesOut), &state)
        }
        return snapshot
    }

    /// Sets the sizes, their ratio, and the fraction done.
    ///
    /// - Parameters:
    ///   - bytesIn: bytes read.
    ///   - delivered: what has arrived at the output, and the bytes of the input that it was made from.
    ///   - reached: bytes that are delivered, or that workers have consumed within frames that are not done; if no work
    ///     or writing is in progress, all bytes read.
    private func setSizes(
        _ snapshot: inout ProgressSnapshot, bytesIn: UInt64, _ delivered: Delivery, reached: UInt64,
        _ state: inout State
    ) {
        let activity = settings.activity
        let (finalIn, finalOut) = (UInt64(state.final.bytesIn), UInt64(state.final.bytesOut))
        // The counter may lag a little.
        snapshot.bytesIn = max(bytesIn, delivered.sourceBytes, finalIn)
        state.reached = max(state.reached, min(reached, snapshot.bytesIn), delivered.sourceBytes, finalIn)
        // At the end all input is done, and the totals are final.
        let isFinal = finalIn >= delivered.sourceBytes && finalIn > 0
        snapshot.bytesOut = isFinal ? finalOut : delivered.madeBytes
        let done = isFinal ? finalIn : delivered.sourceBytes
        let ratio = activity.ratio(input: Double(done), output: Double(snapshot.bytesOut))
        // Without a ratio beside it, the number may include the latest input.
        snapshot.bytesDone = ratio == nil ? state.reached : done
        snapshot.ratio = settings.hasRatio ? ratio : nil
        snapshot.reach(state.reached, isEnd: state.isDone)
    }

    /// Sets the times and rates.
    ///
    /// - Parameter content: decompressed bytes so far.
    private func setTimes(_ snapshot: inout ProgressSnapshot, _ content: UInt64, _ state: inout State) {
        let now = clock() - state.paused
        snapshot.elapsedSeconds = now
        state.recentRate.note(content, at: now)
        snapshot.currentBytesPerSecond = state.recentRate.rate(at: now)
        snapshot.averageBytesPerSecond = now > 0 ? Double(content) / now : 0
        snapshot.stalledSeconds = state.movement.stall(at: now)
        if state.reached > 0 { snapshot.estimateRemaining() }
    }

    /// The name that the bar shows for an operand which is not a file.
    private func name(of operand: FilePath?) -> String? {
        guard settings.reporting.label == nil, let operand, operand.isStandardInput else { return nil }
        let name = settings.runName(of: operand)
        return name == Operand.standardInputName ? nil : name.string
    }

    /// The time of day in this many seconds, such as `17:42`; with the day of the week if it is not today.
    private static func timeOfDay(in seconds: Double) -> String? {
        guard let end = LocalTime(Int64(time(nil)) + Int64(clamping: min(seconds, 1e9))) else { return nil }
        if end.day == LocalTime.now.day { return end.hourAndMinute }
        return seconds < 6 * 86400 ? "\(end.weekday) \(end.hourAndMinute)" : end.day
    }

    /// Whether this process is in the terminal's foreground.
    private static var isInForeground: Bool {
        let group = tcgetpgrp(STDERR_FILENO)
        return group < 0 || group == getpgrp()
    }
}

extension ProgressDisplay {
    /// Drawing may wait for the terminal, which must not delay a deadly signal.
    private static let signalQueue = DispatchQueue(label: "sluice.terminal.signals")

    /// Redraws when the terminal is resized or the process continues, clears the line before the process stops, and
    /// prints progress on SIGUSR1.
    ///
    /// - Parameter didContinue: called when the process continues.
    func watch(_ signals: Signals, didContinue: @escaping @Sendable () -> Void) {
        signals.watch(SIGUSR1, on: Self.signalQueue) { self.printLine() }
        signals.watch(SIGWINCH, on: Self.signalQueue) { self.didResize() }
        signals.watch(SIGCONT, on: Self.signalQueue) {
            self.didContinue()
            didContinue()
        }
        guard !Signals.isIgnored(SIGTSTP) else { return }
        signals.watch(SIGTSTP, on: Self.signalQueue) {
            self.willStop()
            StandardDescriptors.restore()
            kill(getpid(), SIGSTOP)
        }
    }
}
