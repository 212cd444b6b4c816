import Dispatch
import Glibc
import Sluice
import SystemPackage

/// One call of the command: its operands one after another, and what is said about them.
struct Session: ~Copyable {
    private let verb: any Transfer
    private let settings: Settings
    private let console: Console
    private let latch = FailureLatch()
    private let inputEnd = InputEnd()
    private let signals: Signals
    private let instruments: Instruments
    // Of all operands together, however small they are.
    private let rateLimit: RateLimit?
    private let made: MadeFiles
    private let memory: MemoryBudget
    private let fullDisk: FullDisk?
    private let canAsk: Bool
    private let areMany: Bool
    /// How many small files are done together.
    private let batchSize: Int
    private let start = ContinuousClock.now

    /// What is left of a run with `--resume`.
    private static let continues = "the same command continues it"

    /// - Throws: why a file that the statistics go to can't be written.
    init(
        _ operands: [FilePath], _ verb: any Transfer, _ settings: Settings, _ console: Console
    ) throws(Complaint) {
        Shortage.prepare(quietness: settings.quietness)
        let walks = settings.walks(operands)
        areMany = operands.count > 1 || walks
        // Before there is another thread: the kernel would wait for milliseconds until that has seen the new room.
        batchSize = areMany ? FileBatch.size(for: walks ? nil : operands.count, workers: settings.threads) : 1
        signals = Signals(
            latch: latch, inputEnd: inputEnd, console: console, hint: settings.resumes ? Self.continues : nil)
        let made = MadeFiles(operands, settings)
        instruments = try Instruments(operands, made, settings, console)
        self.verb = verb
        self.settings = settings
        self.made = made
        memory = MemoryBudget(settings)
        fullDisk = settings.waitsWhenFull ? FullDisk() : nil
        canAsk = settings.canAsk(besides: operands)
        // One that a file says is not known yet.
        rateLimit = settings.rateLimit.map { RateLimit(bytesPerSecond: $0.fixed ?? 1) }
        self.console = console
        watchTerminal()
        if areMany || instruments.isWatching || settings.resumes || mayWait(for: operands) { signals.start() }
    }

    /// Whether to open one of the operands may take long, as it does with a FIFO.
    private func mayWait(for operands: [FilePath]) -> Bool {
        operands.contains { $0 != Operand.standardInput && Operand.identity(of: $0)?.kind != .file }
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
        let queue = OperandQueue(operands, settings, console)
        let sharesOutput =
            areMany && settings.output != .derived && settings.verb.activity.hasOutput
            || settings.references.growing != nil
        var tally = sharesOutput ? runIntoOne(queue, operands) : runEach(queue)
        queue.warn()
        tally.failed += queue.failures
        // Links that were passed over are no failure beside a file.
        if tally.done == 0, tally.skipped > 0 { tally.failed += tally.skipped }
        let count = max(queue.count - tally.own - tally.skipped, tally.done + tally.failed)
        instruments.display.finish(tally.total, files: tally.done + tally.failed)
        let signal = signals.cause(of: latch.failure)
        let isTold = tellLosses(tally.losses, operands)
        // What failed is said before what was done.
        if signal == nil { summarize(tally, operands, of: count) }
        let whole = tally.done - tally.damaged
        let outcome = outcome(signal, of: count, whole, tally.failed + tally.damaged)
        let isReported = instruments.report(outcome) && isTold
        // The run has been wound up: its temporary file is gone.
        if let signal {
            signals.sayFarewell(signal)
            Signals.die(by: signal)
        }
        StandardDescriptors.restore()
        return whole == count && isReported ? 0 : 1
    }

    /// What became of the operands.
    private struct Tally {
        var total = Summary()
        var done = 0
        var failed = 0
        /// Symbolic links.
        var skipped = 0
        /// Files in folders that this run has made there.
        var own = 0
        /// What damaged files have lost, of those that are done.
        var losses: [LossReport] = []
        /// Files of which content is lost.
        var damaged: Int { losses.count { $0.lost.isOfContent } }
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

    private func runEach(_ queue: OperandQueue) -> Tally {
        var tally = Tally()
        // Who asks for it gets it for small files, too, which then are written one by one.
        let mayBatch = areMany && settings.onFull != .wait && !made.isChain
        guard mayBatch, let run = SmallFileRun(verb, settings, instruments.monitor, made, memory, console) else {
            while !isOver, let operand = queue.next() { finish([operand], [.left], isOnly: !areMany, &tally) }
            return tally
        }
        // While one batch gets its names, which waits for the disk, the next one is written.
        var last: FileBatch?
        while !isOver {
            let operands = queue.nextBatch(batchSize)
            if operands.isEmpty { break }
            let batch = FileBatch(operands, run, latch, instruments.display)
            queue.putBack(operands.dropFirst(batch.write()))
            if let last { finish(last.operands, last.outcomes, isOnly: false, &tally) }
            last = batch
        }
        if let last { finish(last.operands, last.outcomes, isOnly: false, &tally) }
        return tally
    }

    /// Counts and reports what became of operands, and does those that were left.
    private func finish(
        _ operands: [Operand], _ outcomes: [FileBatch.Outcome], isOnly: Bool, _ tally: inout Tally
    ) {
        for (operand, outcome) in zip(operands, outcomes) where !isOver {
            do throws(Complaint) {
                switch outcome {
                case .left, .pending: try count(try runAlone(operand, isOnly: isOnly), operand, &tally)
                case .done(let summary): try count(summary, operand, &tally)
                case .failed(let complaint): throw complaint
                case .failedAlike:
                    tally.failed += 1
                    continue
                }
                tally.done += 1
            } catch {
                note(error, isOnly: isOnly, &tally)
            }
        }
    }

    /// What damaged files have lost, for people or for programs.
    ///
    /// - Returns: whether it could be written.
    private func tellLosses(_ reports: [LossReport], _ operands: [FilePath]) -> Bool {
        for report in reports where report.lost.count > 0 {
            let hint = report.mayBePatch ? settings.patchHint : nil
            let lines = settings.listsJSON ? [report.sum] : [report.sum] + report.lines
            for line in lines {
                if report.lost.isOfContent { console.error(line, hint: hint) } else { console.warn(line) }
            }
        }
        guard settings.listsJSON else { return true }
        let page = Array((JSON.page(LossObject(reports)) + "\n").utf8)
        if console.print(page, on: settings.isFilter(operands) ? .standardError : .standardOutput) { return true }
        console.error("standard output: can't write: \(Errno(rawValue: errno).sentence)")
        return false
    }

    /// Counts what was done, and says its hash.
    private func count(_ summary: Summary, _ operand: Operand, _ tally: inout Tally) throws(Complaint) {
        tally.total += summary
        if let lost = summary.lost {
            tally.losses.append(LossReport(lost: lost, name: operand.path, isWritten: verb.activity.hasOutput))
        }
        guard let hash = summary.contentHash else { return }
        let line = HashLine(hash, of: operand.path, settings)
        if console.print(line.bytes, on: line.descriptor) { return }
        throw Complaint("standard output: can't write: \(Errno(rawValue: errno).sentence)")
    }

    /// Counts and reports what kept an operand from being done.
    private func note(_ complaint: Complaint, isOnly: Bool, _ tally: inout Tally) {
        if complaint.isOwn {
            tally.own += 1
        } else if complaint.isSkipped, !isOnly {
            console.warn(complaint.sentence)
            tally.skipped += 1
        } else {
            report(complaint)
            tally.failed += 1
        }
    }

    private func runAlone(_ operand: Operand, isOnly: Bool) throws(Complaint) -> Summary {
        instruments.display.begin(operand.path)
        // Of one file the end is that of the run.
        defer { if areMany { instruments.display.endFile() } }
        return try fileRun(isOnly: isOnly).run(operand)
    }

    /// Several operands, one output: a file is complete only if all of them are, standard output takes what there is.
    private func runIntoOne(_ queue: OperandQueue, _ operands: [FilePath]) -> Tally {
        var tally = Tally()
        let run = fileRun(isOnly: false)
        if settings.removesSource { console.warn("the sources stay: several share one output") }
        do throws(Complaint) {
            let target = try sharedTarget(operands)
            let inputs = operands.compactMap(Operand.identity)
            let output = try Output(to: target, inputs: inputs, settings, canAsk: canAsk, console: console)
            try run.begin(output)
            while !isOver, let operand = queue.next() {
                instruments.display.begin(operand.path)
                do throws(Complaint) {
                    try count(try run.run(operand, into: output), operand, &tally)
                    tally.done += 1
                } catch {
                    if target != nil, !error.isSkipped, !error.isOwn { throw error }
                    note(error, isOnly: false, &tally)
                }
                instruments.display.endFile()
            }
            // A live stream was ended before its turn came to the others: a file would not be whole.
            if target != nil, inputEnd.isAsked, tally.done < queue.count {
                throw Complaint(.cancelled, source: "", target: "")
            }
            if target != nil, queue.failures > 0 { throw Complaint("nothing is written, for not all can be read") }
            try run.finish(output)
        } catch {
            report(error)
            tally.failed = max(1, queue.count - queue.failures)
            tally.done = 0
        }
        return tally
    }

    /// The file that several operands become; nil for standard output.
    ///
    /// - Throws: if they are not to be joined.
    private func sharedTarget(_ operands: [FilePath]) throws(Complaint) -> FilePath? {
        guard case .path(let target) = settings.output else { return nil }
        if made.isSource(target) {
            throw Complaint(target, "is the input and the output")
        }
        let sentence = "the files are joined in one output, which does not keep their names"
        if settings.references.growing != nil { return target }
        if settings.isForced || settings.verb.activity.content == .both {
            if settings.verb.activity.content == .input { console.warn(sentence) }
            return target
        }
        let mayAsk = canAsk && settings.quietness == 0
        guard mayAsk, console.confirms("\(sentence); go on (y/n)?") else {
            throw Complaint(sentence + ": not done", hint: "-f joins them")
        }
        return target
    }

    /// A failure of one run does not end the others; a signal ends all of them.
    private func fileRun(isOnly: Bool) -> FileRun {
        FileRun(
            verb: verb, settings: settings, console: console, latch: latch, signals: signals,
            monitor: instruments.monitor, isWatched: instruments.isWatching, rateLimit: rateLimit, inputEnd: inputEnd,
            made: made, memory: memory, fullDisk: fullDisk, isOnly: isOnly, canAsk: canAsk)
    }

    private func report(_ complaint: Complaint) {
        if complaint.failure == .cancelled { return }
        if let failure = complaint.failure, signals.cause(of: failure) != nil {
            // No file after this one would fare better; a reader that went away is no error.
            latch.fail(failure)
            if failure == .writing(.brokenPipe) { return }
        }
        let command = complaint.failure.flatMap { settings.remedy(for: $0, of: complaint.source) }
        let isHalfWritten = settings.resumes && complaint.failure?.code == .writing
        console.error(complaint.sentence, hint: command ?? complaint.hint ?? (isHalfWritten ? Self.continues : nil))
    }

    /// Redraws when the terminal changes or the process goes on, clears the terminal before it stops, and answers those
    /// who ask how far it is.
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

    /// What is shown may wait for the terminal, which must not keep a deadly signal waiting.
    private static let terminalQueue = DispatchQueue(label: "sluice.terminal.signals")

    private func summarize(_ tally: Tally, _ operands: [FilePath], of count: Int) {
        // Of what is only tested, what is damaged is not done.
        let done = tally.done - (verb.activity.hasOutput ? 0 : tally.damaged)
        guard done > 0, settings.showsSummary(for: operands) else { return }
        let isOne = operands.count == 1 && !made.walks
        let name =
            isOne ? Operand.name(of: operands[0]) : "\(done == count ? "" : "\(done) of ")\(count) files"
        console.write(
            tally.total.line(
                name: name, settings.verb.activity, elapsed: .now - start, hasFailures: done < count) + "\n")
    }
}
