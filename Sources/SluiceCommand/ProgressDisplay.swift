import Dispatch
import Glibc
import Sluice
import Synchronization

/// Draws the progress of one command, all its files together, ten times a second at most.
final class ProgressDisplay: Sendable {
    private struct State {
        var name = ""
        var files: (done: Int, total: Int)?
        var total: UInt64?
        /// Bytes of the files that are done, as they were announced: the last of a file's bytes may not be counted yet.
        var samples: [(time: Double, content: UInt64)] = []
        var lastChange = 0.0
        var lastTick = 0.0
        /// Seconds that the process was stopped.
        var paused = 0.0
        var isShown = false
        var isFinished = false
    }

    private static let interval = 0.1
    /// Runs shorter than this show nothing.
    private static let delay = 0.3
    /// What the current rate is taken over.
    private static let rateWindow = 2.0
    private static let stallLimit = 2.0

    let progress: Progress
    private let console: Console
    private let isDecompressing: Bool
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "sluice.terminal")
    private let timer: Mutex<DispatchSource?> = Mutex(nil)
    private let start = Span.now()

    init(_ progress: Progress, console: Console, isDecompressing: Bool, isDrawing: Bool) {
        self.progress = progress
        self.console = console
        self.isDecompressing = isDecompressing
        guard isDrawing else { return }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + Self.delay, repeating: Self.interval, leeway: .milliseconds(10))
        timer.setEventHandler { @Sendable [weak self] in self?.draw() }
        timer.activate()
        self.timer.withLock { $0 = timer as? DispatchSource }
    }

    deinit { timer.withLock { $0?.cancel() } }

    /// Announces the files of the whole command.
    ///
    /// - Parameter total: bytes that will be read, if that is known.
    func begin(files: Int, total: UInt64?) {
        state.withLock { state in
            state.files = files > 1 ? (0, files) : nil
            state.total = total
        }
    }

    /// Announces the next file.
    func begin(_ name: String) {
        state.withLock { $0.name = name }
    }

    func endFile() {
        state.withLock { $0.files?.done += 1 }
    }

    /// The line as it stands now.
    func line(width: Int) -> String {
        state.withLock { state in currentLine(&state).render(width: width) }
    }

    /// The process was stopped, and goes on: the time between does not count.
    func didContinue() {
        state.withLock { state in
            let now = clock()
            if state.lastTick > 0 { state.paused += max(0, now - state.lastTick - Self.interval) }
            state.lastTick = now
        }
    }

    /// Removes the line for good.
    func finish() {
        let wasShown = state.withLock { state in
            state.isFinished = true
            defer { state.isShown = false }
            return state.isShown
        }
        if wasShown { console.show("") }
    }

    /// Removes the line until the next time it is drawn.
    func erase() { console.show("") }

    /// Draws the line, unless another process has the terminal.
    func draw() {
        let line = state.withLock { state -> String? in
            state.lastTick = clock()
            guard !state.isFinished, Self.isInForeground else { return nil }
            state.isShown = true
            return currentLine(&state).render(width: Self.terminalWidth - 1)
        }
        if let line { console.show(line) }
    }

    /// Seconds since the start.
    private func clock() -> Double { Double(Span.now() - start) / 1e9 }

    private func currentLine(_ state: inout State) -> ProgressLine {
        let totals = progress.current
        let now = clock() - state.paused
        let content = isDecompressing ? totals.bytesOut : totals.bytesIn
        sample(content, at: now, &state)
        let oldest = state.samples.first ?? (0, 0)
        var line = ProgressLine()
        line.name = state.name
        line.files = state.files
        line.bytesIn = totals.bytesIn
        line.bytesOut = totals.bytesOut
        line.total = state.total
        line.elapsed = now
        line.averageRate = now > 0 ? Double(content) / now : 0
        line.currentRate = now > oldest.time ? Double(content - min(content, oldest.content)) / (now - oldest.time) : 0
        line.stalled = now - state.lastChange > Self.stallLimit ? now - state.lastChange : nil
        return line
    }

    private func sample(_ content: UInt64, at now: Double, _ state: inout State) {
        if state.samples.last.map({ $0.content != content }) ?? true { state.lastChange = now }
        state.samples.append((now, content))
        // One sample older than the window stays, as the window's beginning.
        while state.samples.count > 2, state.samples[1].time < now - Self.rateWindow { state.samples.removeFirst() }
    }

    private static var isInForeground: Bool {
        let group = tcgetpgrp(STDERR_FILENO)
        return group < 0 || group == getpgrp()
    }

    private static var terminalWidth: Int {
        var size = winsize()
        let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }
}
