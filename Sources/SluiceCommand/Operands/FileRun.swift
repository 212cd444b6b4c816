import ForeignCodec
import Glibc
import Sluice
import SystemPackage
import ZstdCodec

/// What is done with one operand.
struct FileRun {
    let settings: Settings
    let console: Console
    let latch: FailureLatch
    let monitor: Monitor
    let rateLimit: RateLimit?
    let inputEnd: InputEnd
    let made: MadeFiles
    /// Whether the operand is the only one, which then gives its metadata to the output.
    let isOnly: Bool

    /// Compresses, decompresses or tests one operand, into a file of its own.
    func run(_ operand: FilePath) throws(Complaint) -> Summary {
        let input = try Input(operand, settings)
        let target = try targetName(input)
        if let target, let objection = made.objection(to: target, by: input.source.identity) {
            throw Complaint(target, objection)
        }
        let output = try openOutput(target, inputs: [input.source.identity], canAsk: input.path != nil)
        let summary = try transfer(input, output)
        let isKept = output.isFile
        // What came from standard input is new, even if that is a file.
        let original = input.path != nil && (isOnly || settings.output == .derived) ? input.source : nil
        try finish(output, from: input.source, metadataOf: original)
        if settings.removesSource, isKept, let path = input.path, input.source.isFile {
            try removeSource(path, input.source.identity)
        }
        return summary
    }

    /// Adds one operand to an output that several share.
    func run(_ operand: FilePath, into output: borrowing Output) throws(Complaint) -> Summary {
        let input = try Input(operand, settings)
        if let sink = output.sink, sink.isFile, sink.identity.isSameFile(as: input.source.identity) {
            throw Complaint(input.name, "is the input and the output")
        }
        return try transfer(input, output)
    }

    /// Opens where an output of this name goes; nil is standard output, if anything is written.
    func openOutput(
        _ target: FilePath?, inputs: [FileIdentity], canAsk: Bool
    ) throws(Complaint) -> Output {
        if !settings.verb.operation.hasOutput { return Output() }
        guard let target else {
            let output = try Output(standardOutputFor: settings)
            if let sink = output.sink, sink.isFile, inputs.contains(where: { $0.isSameFile(as: sink.identity) }) {
                throw Complaint("standard output is also the input")
            }
            return output
        }
        return try Output(
            at: target, inputs: inputs, isReplacing: settings.isForced, settings, canAsk: canAsk, console: console)
    }

    /// The name of the output; nil for standard output.
    private func targetName(_ input: borrowing Input) throws(Complaint) -> FilePath? {
        if !settings.verb.operation.hasOutput { return nil }
        switch settings.output {
        case .standardOutput: return nil
        case .path(let path): return path
        case .derived: break
        }
        guard let path = input.path, settings.verb.operation.content != .both else { return nil }
        if Output.isSystemPath(path) {
            throw Complaint(
                path, "stands for what is open, not for a file that an output could be named after",
                hint: "name the output with -o, or use -c")
        }
        guard let name = settings.derivedName(of: path) else {
            if let format = input.source.foreignFormat, !format.isRead {
                throw Complaint(.foreign(.notRead(format)), source: path, target: path)
            }
            throw Complaint(
                path, "unknown suffix, expected is one of \(FileName.knownSuffixes)",
                hint: "name the output with -o, or use -c")
        }
        return name
    }

    private func transfer(_ input: borrowing Input, _ output: borrowing Output) throws(Complaint) -> Summary {
        var job = Job(settings.verb.action(for: input.source, settings), threads: settings.threads, monitor: monitor)
        job.reading = settings.reading
        job.rateLimit = rateLimit
        if settings.flushInterval != nil, settings.verb.operation.content == .input { job.inputEnd = inputEnd }
        job.buffer = settings.buffer
        job.fillBeforeWriting = settings.fillBeforeWriting
        let (source, sink) = (input.source, output.sink)
        let summary = try Complaint.about(source: input.name, target: output.name) { [job] () throws(Failure) in
            try job.run(from: source, to: sink, latch: latch)
        }
        if settings.verbosity > 0 { describe(job, summary, input.name) }
        if settings.verb.operation.content == .input, input.path == nil, let size = settings.streamSize,
            size != summary.contentSize
        {
            let failure = CodecFailure.contentSizeMismatch(announced: size, actual: summary.contentSize)
            throw Complaint(.codec(failure), source: input.name, target: output.name)
        }
        return summary
    }

    private func describe(_ job: Job, _ summary: Summary, _ name: FilePath) {
        let peak = ProcessUsage().peakMemoryBytes
        let hasFrames = settings.verb.operation.content == .input && !settings.isSingleFrame
        let frames = hasFrames ? ", frames of \(ByteCount.format(UInt64(settings.compression.frameSize)))" : ""
        console.write(
            """
            \(name.printable): \(job.workerCount) \(job.workerCount == 1 ? "worker" : "workers"), \(job.slotCount) slots\
            \(frames); memory at most \
            \(ByteCount.format(UInt64(summary.memoryBound))), so far \(ByteCount.format(peak))

            """)
    }

    /// Gives the output its name.
    ///
    /// - Parameters:
    ///   - source: what it was made from, if that is one.
    ///   - original: whose metadata it gets.
    func finish(
        _ output: consuming Output, from source: Source? = nil, metadataOf original: Source? = nil
    ) throws(Complaint) {
        let (name, isFile, start) = (output.name, output.isFile, Span.now())
        let file = isFile ? output.sink?.identity : nil
        if let file, let source { made.add(file, from: source.identity) }
        if settings.isForced { made.beginReplacing() }
        defer { if settings.isForced { made.endReplacing() } }
        do throws(Failure) {
            try output.commit(metadataOf: original, isSynced: settings.isSynced) {
                source.map { made.objection(to: name, by: $0.identity) == nil } ?? true
            }
        } catch {
            if let file { made.remove(file) }
            throw Complaint(error, source: name, target: name)
        }
        if isFile { monitor.record(Span(stage: .sync, start: start, end: Span.now())) }
    }

    /// Removes a source whose data is safe elsewhere, if it is still the file that was read.
    func removeSource(_ path: FilePath, _ identity: FileIdentity) throws(Complaint) {
        let current: FileIdentity
        do throws(Errno) { current = try FileIdentity(at: path, isFresh: true) } catch {
            throw Complaint(path, "can't remove: \(error.sentence)", hint: "the output is complete")
        }
        guard current.isUnchanged(since: identity) else {
            throw Complaint(path, "changed while it was read: it stays, and so does the output")
        }
        do throws(Errno) { try systemCall { path.withPlatformString { unlink($0) } } } catch {
            throw Complaint(path, "can't remove: \(error.sentence)")
        }
    }
}

extension FileRun {
    /// What whole files are done with; nil if every file takes a `Job`.
    var wholeFileAction: Action? {
        // With -v each file is described by what its job says of itself.
        guard settings.output == .derived || !settings.verb.operation.hasOutput, settings.rateLimit == nil,
            settings.verbosity == 0
        else { return nil }
        return settings.verb.wholeFileAction(settings)
    }

    /// What is larger, in bytes, is not read or written before somebody has looked at what has its name.
    ///
    /// A look takes the folder's lock, which those who give names hold in turn: without it ten thousand files take less
    /// time by a sixth. What is there shows when the name is given, too late only for the work to be saved.
    private static let unseenLimit = 64 << 10

    /// Whether a small file may have the name, without a question and without a reader who waits for its end.
    func mayTake(_ target: FilePath, from source: FileIdentity) -> Bool {
        guard let existing = try? FileIdentity(at: target, followingLinks: false) else { return true }
        return settings.isForced && existing.kind == .file && !existing.isSameFile(as: source)
            && made.objection(to: target, by: source) == nil
    }

    /// Does a small file as a whole, all but its name.
    ///
    /// - Returns: nil, with nothing done, if the file takes `run`.
    func runWhole(
        _ operand: FilePath, _ worker: inout WholeFileWorker, _ systems: FileSystems
    ) throws(Complaint) -> PendingFile? {
        guard operand != Input.standardInput,
            let entry = try? FileIdentity(at: operand, followingLinks: false),
            let identity = entry.isSymbolicLink ? try? FileIdentity(at: operand) : entry, identity.kind == .file,
            identity.size <= WholeFileWorker.sizeLimit
        else { return nil }
        let input = try Input(operand, settings, entry: entry)
        let target = try targetName(input)
        // What is synced together is synced through its folder, which must be open to us.
        if let target, settings.isSynced, !OutputFile.canSyncFolder(of: target) { return nil }
        let isFree = { target.map { mayTake($0, from: identity) } ?? true }
        if identity.size > Self.unseenLimit, !isFree() { return nil }
        do throws(Complaint) {
            return try pending(input, target, &worker, systems, isFree)
        } catch {
            // Who looks first has another answer.
            if isFree() { throw error }
            return nil
        }
    }

    /// Reads, transforms and writes it.
    private func pending(
        _ input: borrowing Input, _ target: FilePath?, _ worker: inout WholeFileWorker, _ systems: FileSystems,
        _ isFree: () -> Bool
    ) throws(Complaint) -> PendingFile? {
        let (name, source) = (input.name, input.source)
        let transformed = try Complaint.about(source: name, target: name) { () throws(Failure) in
            try worker.transform(source)
        }
        guard var summary = transformed else { return nil }
        if worker.resultSize > Self.unseenLimit, !isFree() { return nil }
        var output =
            try target.map { target throws(Complaint) in
                try Output(newFileAt: target, isReplacing: settings.isForced, settings)
            } ?? Output()
        do throws(Failure) {
            if let sink = output.sink {
                let device = sink.identity.device
                let isSyncedAlone =
                    settings.isSynced ? try !systems.willWrite(to: output.name, on: device) : false
                try worker.write(to: sink)
                summary.bytesOut = UInt64(worker.resultSize)
                try output.complete(metadataOf: source, isSynced: isSyncedAlone)
            }
        } catch {
            throw Complaint(error, source: name, target: output.name)
        }
        return PendingFile(summary, path: name, identity: source.identity, output)
    }
}
