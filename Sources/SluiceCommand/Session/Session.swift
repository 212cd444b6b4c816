import SluiceEngine
import Synchronization

/// One call of the command: runs its operands one after another, or small files in batches.
struct Session {
    let context: RunContext
    private let command: any Transfer
    /// The number of small files in a batch.
    private let batchSize: Int

    var settings: Settings { context.settings }
    var fileRun: FileRun { FileRun(context: context, command: command) }

    /// - Throws: why a file for statistics, a trace or a report can't be written.
    init(_ command: any Transfer, _ settings: Settings, _ console: Console) throws(Complaint) {
        // Raise the limit of open files before there is a second thread: with two, that takes milliseconds.
        let files = settings.walks ? nil : settings.operands.count
        batchSize = settings.mayMakeSeveral ? SmallFileBatch.size(for: files, workers: settings.limits.threads) : 1
        context = try RunContext(settings, console)
        self.command = command
        let isWatched = context.observation.isWatching
        if settings.mayMakeSeveral || isWatched || settings.output.resumes || mayWait { context.signals.start() }
    }

    /// Whether opening one of the operands may take long, as it does with a FIFO.
    private var mayWait: Bool {
        settings.operands.contains { !$0.isStandardInput && Operand.identity(of: $0)?.kind != .file }
    }

    /// Runs all operands.
    ///
    /// - Returns: the exit code. If a signal ended the run, the process dies by it instead.
    func run() -> Int32 {
        let queue = OperandQueue(settings, context.console)
        let sharesOutput =
            settings.mayMakeSeveral && settings.output.destination != .derived && settings.activity.hasOutput
            || settings.output.growing != nil
        if sharesOutput { concatenate(queue) } else { runEach(queue) }
        queue.warn()
        context.console.reportOthers()
        let counts = context.counts.withLock { counts in
            counts.end(queue)
            return counts
        }
        let signal = context.signals.cause(of: context.latch.failure)
        context.observation.display.finish(
            counts.total, files: counts.done + counts.failed, isDone: signal == nil && counts.whole == counts.count)
        return context.report(counts, endedBy: signal)
    }

    private func runEach(_ queue: OperandQueue) {
        guard settings.mayMakeSeveral, let run = smallFileRun else {
            while !context.isOver, let operand = queue.next() { finish([operand], [.left]) }
            return
        }
        // While one batch waits for the disk and gets its names, the next one is written.
        var last: SmallFileBatch?
        while !context.isOver {
            let operands = queue.nextBatch(batchSize)
            if operands.isEmpty { break }
            let batch = SmallFileBatch(operands, run, context.latch, context.observation.display)
            queue.putBack(operands.dropFirst(batch.write()))
            if let last { finish(last.operands, last.outcomes) }
            last = batch
        }
        if let last { finish(last.operands, last.outcomes) }
    }

    /// Counts and reports the outcomes of operands, and runs those that a batch has left, unless all is over.
    private func finish(_ operands: [Operand], _ outcomes: [SmallFileBatch.Outcome]) {
        for (operand, outcome) in zip(operands, outcomes) {
            do throws(Complaint) {
                switch outcome {
                case .left, .pending: if !context.isOver { try context.add(try runAlone(operand), of: operand) }
                case .done(let summary): try context.add(summary, of: operand)
                case .failed(let complaint): throw complaint
                case .failedAlike: context.counts.withLock { $0.failed += 1 }
                }
            } catch {
                context.add(error, isOnly: !settings.mayMakeSeveral)
            }
        }
    }

    private func runAlone(_ operand: Operand) throws(Complaint) -> Summary {
        let display = context.observation.display
        display.begin(operand.path)
        // A single file ends with the call.
        defer { if settings.mayMakeSeveral { display.endFile() } }
        return try fileRun.run(operand)
    }

    /// Nil if every file needs a `FileRun`.
    private var smallFileRun: SmallFileRun? {
        guard let operation = command.wholeFileOperation(settings),
            fileRun.job(operation).obstacle(to: .batch, from: nil, to: nil) == nil
        else { return nil }
        return SmallFileRun(
            settings: settings, command: command, operation: operation, protected: context.protected,
            lanes: context.memory.lanes(of: settings.limits.threads, for: operation),
            monitor: context.observation.monitor, console: context.console)
    }
}

extension Transfer {
    func run(_ settings: Settings, _ console: Console) throws(Complaint) -> Int32 {
        try settings.refuseLoss()
        return try Session(self, settings, console).run()
    }
}

extension Settings {
    /// - Throws: which two operands would be removed after becoming the same file.
    fileprivate func refuseLoss() throws(Complaint) {
        guard output.isRemovalAsked else { return }
        var sources: [FilePath: FilePath] = [:]
        for operand in operands.map({ $0.lexicallyNormalized() }) {
            guard let name = derivedName(of: operand) else { continue }
            if let other = sources.updateValue(operand, forKey: name), other != operand {
                throw Complaint(operand, "has the same output as \(other.printable), and --rm would lose one")
            }
        }
    }
}

extension Session {
    /// Runs several operands into one output: a file is complete only if all of them succeed, standard output gets the
    /// ones that do.
    func concatenate(_ queue: OperandQueue) {
        if settings.output.isRemovalAsked {
            context.console.warn("--rm is ignored: several sources share one output")
        }
        do throws(Complaint) { try write(queue) } catch {
            context.report(error)
            context.counts.withLock { counts in
                counts.failed = max(1, queue.count - queue.failures)
                counts.done = 0
            }
        }
    }

    private func write(_ queue: OperandQueue) throws(Complaint) {
        let display = context.observation.display
        let target = try sharedTarget()
        let inputs = settings.operands.compactMap(Operand.identity)
        let output = try Output.chosen(
            for: target.map { OutputPlace($0) }, inputs: inputs, settings, context.observation.monitor,
            asking: context.asking)
        if let growing = settings.output.growing, let sink = output.sink {
            try Complaint.about(source: output.name, growing.begin(on: sink, latch: context.latch))
        }
        while !context.isOver, let operand = queue.next() {
            display.begin(operand.path)
            do throws(Complaint) {
                try context.add(try fileRun.run(operand, into: output), of: operand)
            } catch {
                if target != nil, error.fate == .failed { throw error }
                context.add(error, isOnly: false)
            }
            display.endFile()
        }
        // A signal between two operands, or the end of a live stream, ends the loop without an error, although the file
        // is incomplete.
        let failure = context.latch.failure
        let isCut = context.inputEnd.isAsked && context.counts.withLock { $0.done } < queue.count
        if target != nil, failure != nil || isCut {
            throw Complaint.general(failure ?? .cancelled)
        }
        if target != nil, queue.failures > 0 { throw Complaint("nothing written: not all files can be read") }
        try fileRun.finish(output)
    }

    /// A hint to use tar for a directory, because most people want to separate its files again; nil for anything else.
    private var packing: String? {
        guard settings.walks, settings.activity.content == .input, settings.operands.count == 1 else { return nil }
        let command = Input.packing(settings.operands[0]) ?? "tar -I sluice -cf DIR.tar.zst DIR"
        return command + " packs the directory"
    }

    /// The output file; nil for standard output.
    ///
    /// - Throws: why the operands must not be concatenated.
    private func sharedTarget() throws(Complaint) -> FilePath? {
        if settings.compression.parity != nil || settings.command.replacesInput {
            let word = settings.command.replacesInput ? "--repair" : "--parity"
            // A copy has no name of its own.
            let isCopy = settings.activity.content == .both
            throw Complaint(
                "\(word) makes a file of each: several can't share one",
                hint: isCopy ? "copy one after another, each with -o" : "leave -o and -c out")
        }
        guard let target = settings.output.destination.path else { return nil }
        if settings.input.isDecoded { throw Complaint("--recompress makes a file of each: several can't share one") }
        try context.protected.refuseSource(target)
        if settings.output.growing != nil { return target }
        let many = settings.operands.count > 1 ? "\(settings.operands.count) files" : "the files"
        let sentence = "\(many) will be concatenated into one output and can't be separated again"
        if settings.isForced || settings.activity.content == .both {
            if settings.activity.content == .input { context.console.warn(sentence) }
            return target
        }
        guard let console = context.asking, console.confirms("\(sentence); continue (y/n)?") else {
            throw Complaint(sentence + ": not done", hint: packing ?? "-f concatenates them")
        }
        return target
    }
}
