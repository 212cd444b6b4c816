import Dispatch
import Glibc
import Sluice
import Synchronization
import SystemPackage
import ZstdCodec

/// Shows the progress of one command, all its files together.
final class ProgressDisplay: Sendable {
    private struct State {
        /// What is being done, or was begun last.
        var operand: FilePath?
        /// Bytes of the input up to which the run was seen to have come.
        var reached: UInt64 = 0
        var pace = Pace()
        var lastTick = 0.0
        /// When the process was asked to stop.
        var stopped: Double?
        /// Seconds that the process was stopped.
        var paused = 0.0
        /// What was read and written, once that is known for certain.
        var final = Summary()
        var finalFiles = 0
        var isFinished = false
    }

    /// Seconds.
    private static let barInterval = 0.1
    private static let jsonInterval = 1.0
    private static let plainInterval = 3.0
    /// The time of the end is shown when it is so far off, or an hour is over: who waits for minutes reads how many are
    /// left.
    private static let longRun = 600.0
    /// Runs shorter than this show no bar.
    private static let barDelay = 0.3
    private static let stallLimit = 2.0
    /// A timer that is later than this was stopped.
    private static let longestDelay = 1.0

    private let total: TotalSize
    private let progress: Progress
    private let monitor: Monitor
    private let console: Console
    private let settings: Settings
    private let style: ProgressStyle
    /// Whether something is shown without being asked for.
    let isShown: Bool
    private let keepsBar: Bool
    /// Seconds from one line to the next.
    private let interval: Double
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "sluice.terminal")
    private let timer: Mutex<DispatchSource?> = Mutex(nil)
    private let start = Span.now()

    init(
        _ operands: [FilePath], _ progress: Progress, _ monitor: Monitor, _ settings: Settings, _ console: Console
    ) {
        self.progress = progress
        self.monitor = monitor
        self.settings = settings
        self.console = console
        style = settings.visibleProgress(for: operands)
        isShown = style != .none && style != .auto
        total = TotalSize(operands, settings, isShown: isShown)
        keepsBar = style == .bar && settings.keepsBar(for: operands)
        interval = settings.interval ?? Self.interval(of: style)
        guard isShown else { return }
        let delay = style == .bar ? max(Self.barDelay, settings.interval ?? 0) : interval
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + delay, repeating: interval, leeway: .milliseconds(10))
        timer.setEventHandler { @Sendable [weak self] in self?.tick() }
        timer.activate()
        self.timer.withLock { $0 = .made(timer) }
    }

    deinit { timer.withLock { $0?.cancel() } }

    private static func interval(of style: ProgressStyle) -> Double {
        switch style {
        case .bar: barInterval
        case .json, .percent: jsonInterval
        case .plain, .none, .auto: plainInterval
        }
    }

    /// Announces the next file; of several at once the last one is shown.
    func begin(_ operand: FilePath) {
        state.withLock { $0.operand = operand }
    }

    func endFile() { progress.endFile() }

    /// Prints a line now, whatever the style.
    func printLine() {
        console.write(line(hasBar: false).render(width: .max) + "\n")
    }

    /// The terminal has another size.
    func didResize() {
        if style == .bar { queue.async { self.tick() } }
    }

    /// The process is about to stop.
    func willStop() {
        state.withLock { $0.stopped = clock() }
        if style == .bar { console.show("") }
    }

    /// The process goes on: the time between does not count.
    func didContinue() {
        state.withLock { resume(&$0) }
        didResize()
    }

    /// Takes note of the time that the process was stopped, if it was.
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

    /// Shows the end, and then nothing more.
    ///
    /// - Parameters:
    ///   - total: what was done for those files that are complete.
    ///   - files: how many are done with, failed ones too.
    func finish(_ total: Summary, files: Int) {
        state.withLock { state in
            state.final = total
            state.finalFiles = files
            if !settings.verb.activity.hasOutput { state.final.bytesOut = total.contentSize }
        }
        // Where the timer's handler runs: what it has begun to draw is drawn before, and nothing afterwards.
        queue.sync {
            if style == .json || style == .percent { tick() }
            state.withLock { $0.isFinished = true }
            console.close(leaving: keepsBar ? line(isLast: true).render(width: Self.width) : "")
        }
    }

    private func tick() {
        let isFinished = state.withLock { state in
            resume(&state)
            return state.isFinished
        }
        if isFinished { return }
        // A terminal that takes long to show the line does not stop the process.
        defer { state.withLock { $0.lastTick = clock() } }
        switch style {
        case .bar where Self.isInForeground:
            let line = line()
            console.show(line.render(width: Self.width), knowsEnd: line.progress.totalBytes != nil)
        case .plain:
            printLine()
        case .json:
            console.write(JSON.line(snapshot()) + "\n")
        case .percent:
            if let fraction = snapshot().fraction { console.write("\(Int(fraction * 100))\n") }
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
            isCopy: settings.verb.activity.content == .both, isLast: isLast)
    }

    /// Columns that a line may take; the last one stays free.
    private static var width: Int { max(0, Console.terminalWidth - 1) }

    /// Seconds since the start.
    private func clock() -> Double { Double(Span.now() - start) / 1e9 }

    private func snapshot() -> ProgressSnapshot {
        var snapshot = ProgressSnapshot()
        // First: it may take a while.
        snapshot.totalBytes = total.bytes
        let files = total.files
        let (counted, slots, deliveries) = (progress.current, monitor.slots, monitor.deliveries)
        let isInputAwaited = monitor.busyWorkers == 0 && !deliveries.isWriting
        if settings.buffer > 0, slots.count > 0 { snapshot.bufferFill = Double(slots.inUse) / Double(slots.count) }
        state.withLock { state in
            let operand = state.operand.flatMap { $0 == Operand.standardInput ? nil : $0 }
            snapshot.file = settings.label ?? operand?.string
            snapshot.fileBase64 = settings.label == nil ? operand.flatMap(JSON.base64) : nil
            snapshot.files = files
            // A small file that finds its name taken is done with twice.
            snapshot.filesDone = min(files, max(Int(counted.filesDone), state.finalFiles))
            // Before anything is compressed, the place in the line is kept.
            snapshot.level = settings.compression.adaptiveLevels.map { _ in
                monitor.levelUse?.latest ?? settings.compression.level
            }
            setSizes(&snapshot, bytesIn: counted.bytesIn, deliveries.sum, isInputAwaited, &state)
            let activity = settings.verb.activity
            setTimes(&snapshot, activity.content(input: state.reached, output: snapshot.bytesOut), &state)
        }
        return snapshot
    }

    /// Tells sizes, the ratio of those that stand beside it, and how far the run is.
    ///
    /// - Parameters:
    ///   - bytesIn: what was read.
    ///   - delivered: what has arrived.
    ///   - isInputAwaited: whether nothing is worked on or written: then the input sets the pace, and otherwise what is
    ///     read ahead is still to be done.
    private func setSizes(
        _ snapshot: inout ProgressSnapshot, bytesIn: UInt64, _ delivered: Delivery, _ isInputAwaited: Bool,
        _ state: inout State
    ) {
        let activity = settings.verb.activity
        // It is counted a moment later.
        snapshot.bytesIn = max(bytesIn, delivered.source, state.final.bytesIn)
        state.reached = max(state.reached, isInputAwaited ? snapshot.bytesIn : delivered.source, state.final.bytesIn)
        // At the end all that came in is done, and known for certain.
        let isFinal = state.final.bytesIn >= delivered.source && state.final.bytesIn > 0
        snapshot.bytesOut = isFinal ? state.final.bytesOut : delivered.made
        let done = isFinal ? state.final.bytesIn : delivered.source
        snapshot.ratio = activity.ratio(input: Double(done), output: Double(snapshot.bytesOut))
        // What has no ratio beside it may be what came last.
        snapshot.bytesDone = snapshot.ratio == nil ? state.reached : done
        snapshot.reach(state.reached)
    }

    /// Tells times and rates.
    ///
    /// - Parameter content: decompressed bytes until now.
    private func setTimes(_ snapshot: inout ProgressSnapshot, _ content: UInt64, _ state: inout State) {
        let now = clock() - state.paused
        snapshot.elapsedSeconds = now
        state.pace.note(content, at: now)
        snapshot.currentBytesPerSecond = state.pace.rate(at: now)
        snapshot.averageBytesPerSecond = now > 0 ? Double(content) / now : 0
        let quiet = state.pace.quiet(at: now)
        if quiet > Self.stallLimit, monitor.busyWorkers == 0 { snapshot.stalledSeconds = quiet }
        if let fraction = snapshot.fraction, state.reached > 0 {
            snapshot.remainingSeconds = max(0, now / fraction - now)
        }
    }

    /// The time on the clock in so many seconds, such as `17:42`; with the day of the week if that is not today.
    private static func timeOfDay(in seconds: Double) -> String? {
        var (now, end) = (time(nil), time(nil) + Int(min(seconds, 1e9)))
        var (today, day) = (tm(), tm())
        guard localtime_r(&now, &today) != nil, localtime_r(&end, &day) != nil else { return nil }
        var text = [CChar](repeating: 0, count: 32)
        let isToday = today.tm_yday == day.tm_yday && today.tm_year == day.tm_year
        let length = strftime(&text, text.count, isToday ? "%H:%M" : seconds < 6 * 86400 ? "%a %H:%M" : "%F", &day)
        return String(decoding: text.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Another process may have the terminal now.
    private static var isInForeground: Bool {
        let group = tcgetpgrp(STDERR_FILENO)
        return group < 0 || group == getpgrp()
    }
}
