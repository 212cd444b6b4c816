import Dispatch
import Glibc
import Sluice
import Synchronization

/// The settings and services that all runs of one call share.
final class RunContext: Sendable {
    /// The hint after an unfinished run with `--resume`.
    static let continues = "the same command continues it"
    /// Drawing may wait for the terminal, which must not delay a deadly signal.
    private static let terminalQueue = DispatchQueue(label: "sluice.terminal.signals")

    let settings: Settings
    let console: Console
    /// The console for questions; nil if no one can answer them.
    let asking: Console?
    /// A failure of one run does not end the others; a signal ends all of them.
    let latch = FailureLatch()
    let inputEnd = InputEnd()
    let signals: Signals
    let instruments: Instruments
    let made: MadeFiles
    let memory: MemoryBudget
    /// Holds for all operands together, however small each is.
    let rateLimit: RateLimit?
    /// Where writes wait when a disk is full; nil if they fail.
    let fullDisk: FullDisk?
    /// A call that dies in the middle of a run reports what it has so far.
    let tally = Mutex(Tally())

    /// - Throws: why a file for statistics, a trace or a report can't be written, or why the rate can't be read.
    init(_ settings: Settings, _ console: Console) throws(Complaint) {
        (self.settings, self.console) = (settings, console)
        asking = settings.asking(console)
        signals = Signals(latch: latch, inputEnd: inputEnd, console: console)
        made = MadeFiles(settings)
        instruments = try Instruments(made, settings, console)
        memory = MemoryBudget(settings.limits.memory)
        // A rate that a file sets is not known yet.
        rateLimit = settings.limits.rate.map { RateLimit(bytesPerSecond: Int(clamping: $0.fixed ?? 1)) }
        if let path = settings.limits.rate?.file { try rateLimit?.follow(path) }
        fullDisk = settings.waitsWhenFull ? FullDisk() : nil
        watchTerminal()
        signals.beforeDeath { [self] number in
            var tally = tally.withLock { $0 }
            tally.failed += 1
            tally.count = max(settings.operands.count, tally.done + tally.failed)
            _ = instruments.report(tally.outcome(endedBy: number, console.firstError), parts: nil)
        }
    }

    /// Since the call began.
    var elapsed: Duration { .nanoseconds(Span.now() - console.start) }
    /// Whether to start no further operand.
    var isOver: Bool { latch.failure != nil || inputEnd.isAsked }

    /// Reports a failed operand; ends all runs if a signal was the cause.
    func report(_ complaint: Complaint) {
        if complaint.failure == .cancelled { return }
        if let failure = complaint.failure, signals.cause(of: failure) != nil {
            // No later file would fare better. A reader that closed the pipe is no error.
            latch.fail(failure)
            if failure == .writing(.brokenPipe) { return }
        }
        let remedy = complaint.failure.flatMap { settings.remedy(for: $0, of: complaint.source) }
        let isHalfWritten = settings.output.resumes && complaint.failure?.code == .writing
        console.error(complaint.sentence, hint: remedy ?? complaint.hint ?? (isHalfWritten ? Self.continues : nil))
    }

    /// Reports the outcome of the call, whose runs have been wound up: their temporary files are gone.
    ///
    /// - Parameters:
    ///   - signal: the signal that ended the runs; nil if none did.
    ///   - parts: statistics of the runs that made the parts of a joined file.
    /// - Returns: the exit code. If a signal ended the runs, the process dies by it instead.
    func end(_ outcome: Statistics.Outcome, by signal: Int32?, parts: Statistics.Parts? = nil) -> Int32 {
        let isReported = instruments.report(outcome, parts: parts)
        if let signal {
            signals.sayFarewell(signal)
            Signals.die(by: signal)
        }
        StandardDescriptors.restore()
        return outcome.ending == .success && isReported ? 0 : 1
    }

    /// Redraws when the terminal is resized or the process continues, clears the line before the process stops, and
    /// prints progress on SIGUSR1.
    private func watchTerminal() {
        let display = instruments.display
        signals.watch(SIGUSR1, on: Self.terminalQueue) { display.printLine() }
        signals.watch(SIGWINCH, on: Self.terminalQueue) { display.didResize() }
        signals.watch(SIGCONT, on: Self.terminalQueue) { [fullDisk] in
            display.didContinue()
            fullDisk?.retry()
        }
        guard !Signals.isIgnored(SIGTSTP) else { return }
        signals.watch(SIGTSTP, on: Self.terminalQueue) {
            display.willStop()
            StandardDescriptors.restore()
            kill(getpid(), SIGSTOP)
        }
    }
}
