import Glibc
import Sluice
import SystemPackage
import ZstdCodec

/// What is done with one operand: a `Job`, between an input and an output.
struct FileRun {
    let command: any Transfer
    let settings: Settings
    let console: Console
    let latch: FailureLatch
    let signals: Signals
    let monitor: Monitor
    /// Whether somebody looks on.
    let isWatched: Bool
    let rateLimit: RateLimit?
    let inputEnd: InputEnd
    let made: MadeFiles
    let memory: MemoryBudget
    /// Where writes wait when a disk is full; nil if they fail.
    let fullDisk: FullDisk?
    /// Whether the operand is the only one, which then gives its metadata to the output.
    let isOnly: Bool
    /// Whether standard input has answers, and no data.
    let canAsk: Bool

    /// Work on so many bytes is over before signals would be watched.
    private static let momentarySize: UInt64 = 128 << 10
    /// A file of so many bytes is looked at again in a moment.
    private static let quickInspection: UInt64 = 1 << 30

    /// Compresses, decompresses or tests one operand, into a file of its own.
    func run(_ operand: Operand) throws(Complaint) -> Summary {
        let input = try Input(operand, settings)
        try made.refuseOwn(operand, input.source.identity)
        if settings.output.resumes, !input.source.isFile {
            throw Complaint(input.name, "is not a file: --resume needs one")
        }
        let target = try Output.name(for: input.path, source: input.source, settings)
        if let target, let objection = made.objection(to: newFile(at: target, nil, from: input)) { throw objection }
        if let target { try made.mirror?.prepare(for: target, of: operand) }
        if let share = settings.part.share, command.activity.content == .output, let target {
            return try run(share, of: input, into: target)
        }
        let output = try Output(
            to: target, inputs: [input.source.identity], settings, canAsk: canAsk, console: console)
        let summary = try transfer(input, output)
        let isKept = output.isFile
        // What came from standard input is new, even if that is a file.
        let original = input.path != nil && (isOnly || settings.output.destination == .derived) ? input.source : nil
        let file = isKept ? newFile(at: output.name, output.sink?.identity, from: input) : nil
        try finish(output, file, metadataOf: original)
        if settings.output.removesSource, isKept { try input.file?.remove() }
        return summary
    }

    /// Two runs of the same may have come to their ends: the file of either is as good. Whatever else took the name
    /// meanwhile stays.
    private func refusal(of file: NewFile, inPlaceOf existing: FileIdentity?) -> Complaint? {
        guard !settings.isForced, let existing, let repeats = command.repeats(file.target, of: file.source) else {
            return nil
        }
        // A third run may have replaced what was seen, by as much.
        let isSeen = Operand.identity(of: file.target).map { $0.kind == existing.kind && $0.size == existing.size }
        return repeats && isSeen == true ? nil : Complaint(file.target, "was created meanwhile: not replaced")
    }

    private func newFile(at target: FilePath, _ identity: FileIdentity?, from input: borrowing Input) -> NewFile {
        NewFile(target: target, identity: identity, source: input.source.identity, sourcePath: input.path)
    }

    /// Writes what an output begins with, if a file grows.
    func begin(_ output: borrowing Output) throws(Complaint) {
        guard let file = settings.references.growing, let sink = output.sink else { return }
        try Complaint.about(source: output.name, target: output.name) { () throws(Failure) in
            try file.begin(on: sink, latch: latch)
        }
    }

    /// Adds one operand to an output that several share.
    func run(_ operand: Operand, into output: borrowing Output) throws(Complaint) -> Summary {
        let input = try Input(operand, settings)
        if let sink = output.sink, sink.isFile, sink.identity.isSameFile(as: input.source.identity) {
            var complaint = Complaint(input.name, "is the input and the output")
            complaint.isOwn = operand.folder != nil
            throw complaint
        }
        return try transfer(input, output)
    }

    /// - Parameter action: nil for what the command does with the input.
    func transfer(
        _ input: borrowing Input, _ output: borrowing Output, by action: Action? = nil
    ) throws(Complaint) -> Summary {
        let chosen: Action
        if let action {
            chosen = action
        } else {
            chosen = try Complaint.about(source: input.name, target: output.name) { () throws(Failure) in
                try command.action(for: input.source, settings)
            }
        }
        var job = Job(chosen, threads: settings.limits.threads, monitor: monitor)
        job.reading = settings.input.reading
        job.splitsFrames = settings.decoding.splitsFrames
        job.rateLimit = rateLimit
        if settings.compression.flushInterval != nil, command.activity.content == .input { job.inputEnd = inputEnd }
        job.buffer = settings.limits.buffer
        job.fillBeforeWriting = settings.limits.fillBeforeWriting
        job.hash = settings.proof.hash
        job.fullDisk = fullDisk
        fullDisk?.onWaiting { [console, name = output.name] error in
            console.warn("\(name.printable): \(error.sentence); waiting for space (Ctrl-C to stop)")
        }
        let wanted = (workers: job.workerCount, slots: job.slotCount)
        var source = input.source
        if let summary = try runWhole(&job, input, &source, output) { return summary }
        signals.start()
        if !memory.isSaid { try fit(&job, input) }
        if settings.output.resumes { try output.resume(as: job.recipe, settings) }
        let sink = output.sink
        let summary: Summary
        do throws(Failure) { summary = try job.run(from: source, to: sink, latch: latch) } catch {
            if case .contentSizeMismatch(let announced, let actual)? = error.codecFailure, input.path == nil {
                throw Self.mismatch(of: input.name, announced: announced, actual)
            }
            let complaint = Complaint(error, source: input.name, target: output.name)
            guard let inspection = command.inspection(of: source, after: error, settings) else { throw complaint }
            return try inspect(input, with: inspection, after: complaint)
        }
        if settings.reporting.verbosity > 0 { describe(job, wanted, summary, input.name) }
        try checkSize(of: summary, input, output)
        return summary
    }

    /// The short way of a small input, if nobody looks on.
    ///
    /// - Returns: nil for what takes the long one; nothing is written then, and `source` has what was read.
    private func runWhole(
        _ job: inout Job, _ input: borrowing Input, _ source: inout Source, _ output: borrowing Output
    ) throws(Complaint) -> Summary? {
        // What is left is looked up only for what may need it.
        if memory.isSaid { try fit(&job, input) }
        guard !isWatched, settings.reporting.verbosity == 0 else { return nil }
        if source.size ?? 0 > Self.momentarySize { signals.start() }
        let summary: Summary?
        do throws(Failure) { summary = try job.runWhole(from: &source, to: output.sink, latch: latch) } catch {
            throw Complaint(error, source: input.name, target: output.name)
        }
        if let summary { try checkSize(of: summary, input, output) }
        return summary
    }

    /// - Throws: if standard input had not as many bytes as were announced.
    private func checkSize(
        of summary: Summary, _ input: borrowing Input, _ output: borrowing Output
    ) throws(Complaint) {
        guard command.activity.content == .input, input.path == nil, let size = settings.input.streamSize,
            size != summary.contentSize
        else { return }
        throw Self.mismatch(of: input.name, announced: size, summary.contentSize)
    }

    /// - Parameter actual: nil if there is more than that.
    private static func mismatch(of name: FilePath, announced: UInt64, _ actual: UInt64?) -> Complaint {
        let read = actual.map { "read \($0) bytes" } ?? "read more"
        return Complaint(name, "\(read), but --stream-size said \(announced)")
    }

    /// Looks at all of a damaged file.
    ///
    /// - Throws: what was found before, if nothing is lost, or the file can't be read again, or goes on in another
    ///   format.
    private func inspect(
        _ input: borrowing Input, with action: Action, after complaint: Complaint
    ) throws(Complaint) -> Summary {
        if input.source.size ?? 0 > Self.quickInspection { console.warn(complaint.sentence + "; looking for more") }
        guard lseek(input.source.descriptor.rawValue, off_t(input.source.start), SEEK_SET) >= 0 else { throw complaint }
        var job = Job(action, threads: settings.limits.threads)
        try fit(&job, input)
        let source = input.source
        let summary = try Complaint.about(source: input.name, target: input.name) { [job] () throws(Failure) in
            try job.run(from: source, to: nil, latch: latch)
        }
        let ranges = summary.lost?.ranges ?? []
        if ranges.contains(where: { source.part($0.input).foreignFormat != nil }) { throw complaint }
        if summary.lost?.isOfContent == true { return summary }
        var complaint = complaint
        let name = input.path ?? Operand.standardInput
        let report = summary.lost.map { LossReport(lost: $0, name: name, isWritten: false) }
        complaint.sentence = report?.lines.first ?? complaint.sentence + "; no content is lost"
        throw complaint
    }

    /// Makes the run so small that it fits the memory that there is.
    private func fit(_ job: inout Job, _ input: borrowing Input) throws(Complaint) {
        let size = command.activity.content == .input ? input.source.size : nil
        do throws(Complaint) {
            let change = try memory.fit(&job, inputSize: size, settings)
            if let change { console.warn("\(input.name.printable): \(change)") }
        } catch {
            throw Complaint(input.name, error.sentence, hint: error.hint)
        }
    }

    private func describe(
        _ job: Job, _ wanted: (workers: Int, slots: Int), _ summary: Summary, _ name: FilePath
    ) {
        let peak = ProcessUsage().peakMemoryBytes
        let most = settings.compression.options.cutsByContent ? "up to " : ""
        let frames = job.frameSize.map { ", frames of \(most)\(ByteCount.format(UInt64($0)))" } ?? ""
        let isCut = job.workerCount < wanted.workers || job.slotCount < wanted.slots
        let cut = isCut ? " (reduced to fit, from \(wanted.workers) and \(wanted.slots))" : ""
        let budget = memory.limit.map { " (\($0.words))" } ?? ""
        console.write(
            """
            \(name.printable): \(job.workerCount) \(job.workerCount == 1 ? "worker" : "workers"), \(job.slotCount) slots\(cut)\
            \(frames)
            memory up to \(ByteCount.format(UInt64(summary.memoryBound)))\(budget), \(ByteCount.format(peak)) so far

            """)
    }

    /// Writes what an output ends with, if a file grows, and reads it back, if that was asked for.
    private func end(_ output: borrowing Output) throws(Complaint) {
        guard let sink = output.sink else { return }
        try Complaint.about(source: output.name, target: output.name) { () throws(Failure) in
            try settings.references.growing?.finish(on: sink)
            if settings.proof.readsBack { try OutputFile.sync(sink.descriptor, output.name) }
        }
        guard settings.proof.readsBack else { return }
        do throws(Failure) { try ReadBack(settings, memory).check(sink.descriptor, latch) } catch {
            var complaint = Complaint(output.name, "read back from the disk: \(error)")
            complaint.failure = error
            throw complaint
        }
    }

    /// Gives the output its name.
    ///
    /// - Parameters:
    ///   - file: what it is, if it is a file that is made from one source.
    ///   - original: whose metadata it gets.
    func finish(
        _ output: consuming Output, _ file: NewFile? = nil, metadataOf original: Source? = nil
    ) throws(Complaint) {
        let (name, isFile, start) = (output.name, output.isFile, Span.now())
        let growing = settings.references.growing
        try end(output)
        var objection: Complaint?
        do throws(Failure) {
            var output: Output? = output
            let original = growing?.source ?? original
            var losses: OutputFile.Losses?
            _ = try made.naming(file, isReplacing: settings.isForced) { () throws(Failure) in
                losses = try output.take()?.commit(metadataOf: original, isSynced: settings.output.isSynced) {
                    existing in
                    objection = file.flatMap { file in
                        made.objection(to: file, inPlaceOf: existing) ?? refusal(of: file, inPlaceOf: existing)
                    }
                    if growing?.isReplaced(by: existing) == false {
                        objection = Complaint(name, "changed during --append: not replaced")
                    }
                    return objection == nil
                }
                return true
            }
            if let warning = losses?.warning(for: name) { console.warn(warning) }
        } catch {
            throw objection ?? Complaint(error, source: name, target: name)
        }
        if isFile { monitor.record(Span(stage: .sync, start: start, end: Span.now())) }
    }
}
