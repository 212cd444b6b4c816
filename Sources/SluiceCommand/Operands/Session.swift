import Dispatch
import Glibc
import Sluice
import SystemPackage

/// One call of the command: its operands one after another, and what is said about them.
struct Session: ~Copyable {
    private let settings: Settings
    private let console: Console
    private let latch = FailureLatch()
    private let inputEnd = InputEnd()
    private let signals: Signals
    private let instruments: Instruments
    // Of all operands together, however small they are.
    private let rateLimit: RateLimit?
    private let made: MadeFiles
    private let start = ContinuousClock.now

    /// - Throws: why a file that the statistics go to can't be written.
    init(_ operands: [FilePath], _ settings: Settings, _ console: Console) throws(Complaint) {
        Shortage.prepare(quietness: settings.quietness)
        // First: what comes next makes files, which a signal must not leave behind.
        signals = Signals(latch: latch, inputEnd: inputEnd, console: console)
        instruments = try Instruments(operands, settings, console)
        self.settings = settings
        made = MadeFiles(operands)
        // One that a file says is not known yet.
        rateLimit = settings.rateLimit.map { RateLimit(bytesPerSecond: $0.fixed ?? 1) }
        self.console = console
        watchTerminal()
    }

    /// Lets the input be read as fast as a file says, if one does, for as long as the result is there.
    ///
    /// - Throws: why that can't be known.
    func followRate() throws(Complaint) -> RateFile? {
        guard let path = settings.rateLimit?.file, let rateLimit else { return nil }
        return try RateFile.follow(path, rateLimit)
    }

    /// Does all the operands.
    ///
    /// - Returns: the exit code. A signal that ended the run ends the process instead.
    consuming func run(_ operands: [FilePath]) -> Int32 {
        let sharesOutput = operands.count > 1 && settings.output != .derived && settings.verb.operation.hasOutput
        let (total, done, failed) = sharesOutput ? runIntoOne(operands) : runEach(operands)
        instruments.display.finish(total, files: done + failed)
        let signal = signals.cause(of: latch.failure)
        if signal == nil, done > 0 { summarize(total, operands, done) }
        let outcome = outcome(signal, of: operands.count, done, failed)
        let isReported = instruments.report(outcome)
        // The run has been wound up: its temporary file is gone.
        if let signal { Signals.die(by: signal) }
        StandardDescriptors.restore()
        return done == operands.count && isReported ? 0 : 1
    }

    /// - Throws: if two sources would become one file, and each would be removed.
    static func refuseLoss(_ operands: [FilePath], _ settings: Settings) throws(Complaint) {
        guard settings.removesSource else { return }
        var sources: [FilePath: FilePath] = [:]
        for operand in operands.map({ $0.lexicallyNormalized() }) {
            guard let name = settings.derivedName(of: operand) else { continue }
            if let other = sources.updateValue(operand, forKey: name), other != operand {
                throw Complaint(operand, "becomes the same file as \(other.printable), and --rm would lose one of them")
            }
        }
    }

    /// Whether no further operand is done.
    private var isOver: Bool { latch.failure != nil || inputEnd.isAsked }

    /// How the run ended, and in which words the first failure was told.
    private func outcome(_ signal: Int32?, of count: Int, _ done: Int, _ failed: Int) -> Statistics.Outcome {
        var words = [console.firstError].compactMap(\.self)
        if let signal { words.insert("interrupted by \(Signals.name(of: signal))", at: 0) }
        if count > 1, done < count {
            words.append("\(count - done) of \(count) files \(count - done == 1 ? "is" : "are") not complete")
        }
        let error = words.isEmpty ? nil : words.joined(separator: "; ")
        let ending: Statistics.Ending = signal != nil ? .interrupted : done == count ? .success : .failure
        return Statistics.Outcome(
            ending, error: ending == .success ? nil : error, files: done, failedFiles: failed)
    }

    private func runEach(_ operands: [FilePath]) -> (total: Summary, done: Int, failed: Int) {
        var tally = (total: Summary(), done: 0, failed: 0)
        guard operands.count > 1, let run = SmallFileRun(settings, instruments.monitor, made) else {
            finish(operands[...], operands.map { _ in .left }, isOnly: operands.count == 1, &tally)
            return tally
        }
        // While one batch gets its names, which waits for the disk, the next one is written.
        let size = FileBatch.size(for: operands.count, workers: settings.threads)
        var last: FileBatch?
        var rest = operands[...]
        while !rest.isEmpty, !isOver {
            let batch = FileBatch(rest.prefix(size), run, latch, instruments.display)
            rest = rest.dropFirst(size)
            batch.write()
            if let last { finish(last.operands, last.outcomes, isOnly: false, &tally) }
            last = batch
        }
        if let last { finish(last.operands, last.outcomes, isOnly: false, &tally) }
        return tally
    }

    /// Counts and reports what became of operands, and does those that were left.
    private func finish(
        _ operands: ArraySlice<FilePath>, _ outcomes: [FileBatch.Outcome], isOnly: Bool,
        _ tally: inout (total: Summary, done: Int, failed: Int)
    ) {
        for (operand, outcome) in zip(operands, outcomes) where !isOver {
            do throws(Complaint) {
                switch outcome {
                case .left, .pending: tally.total += try runAlone(operand, isOnly: isOnly)
                case .done(let summary): tally.total += summary
                case .failed(let complaint): throw complaint
                case .failedAlike:
                    tally.failed += 1
                    continue
                }
                tally.done += 1
            } catch {
                report(error)
                tally.failed += 1
            }
        }
    }

    private func runAlone(_ operand: FilePath, isOnly: Bool) throws(Complaint) -> Summary {
        instruments.display.begin(operand)
        defer { instruments.display.endFile() }
        return try fileRun(isOnly: isOnly).run(operand)
    }

    /// Several operands, one output: a file is complete only if all of them are, standard output takes what there is.
    private func runIntoOne(_ operands: [FilePath]) -> (Summary, done: Int, failed: Int) {
        var total = Summary()
        let run = fileRun(isOnly: false)
        if settings.removesSource { console.warn("the sources stay: several share one output") }
        if case .path = settings.output, settings.verb.operation.content == .input {
            console.warn("the files are joined in one output, which does not keep their names")
        }
        do throws(Complaint) {
            let target: FilePath? = if case .path(let path) = settings.output { path } else { nil }
            let inputs = operands.compactMap(Input.identity)
            let canAsk = !operands.contains(Input.standardInput)
            let output = try Output(to: target, inputs: inputs, settings, canAsk: canAsk, console: console)
            var done = 0
            for operand in operands where !isOver {
                instruments.display.begin(operand)
                do throws(Complaint) {
                    total += try run.run(operand, into: output)
                    done += 1
                } catch {
                    if target != nil { throw error }
                    report(error)
                }
                instruments.display.endFile()
            }
            // A live stream was ended before its turn came to the others: a file would not be whole.
            if target != nil, inputEnd.isAsked, done < operands.count {
                throw Complaint(.cancelled, source: "", target: "")
            }
            try run.finish(output)
            return (total, done, operands.count - done)
        } catch {
            report(error)
            return (total, 0, operands.count)
        }
    }

    /// A failure of one run does not end the others; a signal ends all of them.
    private func fileRun(isOnly: Bool) -> FileRun {
        FileRun(
            settings: settings, console: console, latch: latch, monitor: instruments.monitor, rateLimit: rateLimit,
            inputEnd: inputEnd, made: made, isOnly: isOnly)
    }

    private func report(_ complaint: Complaint) {
        if complaint.failure == .cancelled { return }
        if let failure = complaint.failure, signals.cause(of: failure) != nil {
            // No file after this one would fare better; a reader that went away is no error.
            latch.fail(failure)
            if failure == .writing(.brokenPipe) { return }
        }
        console.error(complaint.sentence, hint: complaint.hint)
    }

    /// Redraws when the terminal changes or the process goes on, clears the terminal before it stops, and answers those
    /// who ask how far it is.
    private func watchTerminal() {
        let display = instruments.display
        signals.watch(SIGUSR1, on: Self.terminalQueue) { display.printLine() }
        signals.watch(SIGWINCH, on: Self.terminalQueue) { display.didResize() }
        signals.watch(SIGCONT, on: Self.terminalQueue) { display.didContinue() }
        guard !Signals.isIgnored(SIGTSTP) else { return }
        signals.watch(SIGTSTP, on: Self.terminalQueue) {
            display.willStop()
            StandardDescriptors.restore()
            kill(getpid(), SIGSTOP)
        }
    }

    /// What is shown may wait for the terminal, which must not keep a deadly signal waiting.
    private static let terminalQueue = DispatchQueue(label: "sluice.terminal.signals")

    private func summarize(_ total: Summary, _ operands: [FilePath], _ done: Int) {
        guard settings.showsSummary(for: operands) else { return }
        let name =
            operands.count == 1
            ? Input.name(of: operands[0]) : "\(done == operands.count ? "" : "\(done) of ")\(operands.count) files"
        console.write(
            total.line(name: name, settings.verb.operation, elapsed: .now - start, hasFailures: done < operands.count)
                + "\n")
    }
}
