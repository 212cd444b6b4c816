import CAllocator
import Glibc
import SluiceEngine
import Synchronization

/// Runs a `Job` for one operand, between its input and its output.
struct FileRun {
    let context: RunContext
    let command: any Transfer

    var settings: Settings { context.settings }
    var console: Console { context.console }
    var latch: FailureLatch { context.latch }

    /// The most bytes that are processed without watching signals.
    private static let momentarySize: UInt64 = 128 << 10
    /// Bytes of a file that can be inspected again within a moment.
    private static let quickInspection: UInt64 = 1 << 30

    /// Compresses, decompresses or tests one operand, with its own output.
    func run(_ operand: Operand) throws(Complaint) -> Summary {
        let input = try Input(operand, settings)
        try context.protected.refuseOwn(operand, input.source.identity)
        if settings.output.resumes, !input.source.isFile {
            throw Complaint(input.name, "is not a file: --resume needs one")
        }
        let target = try settings.outputName(for: input.path, source: input.source)
        var place: OutputPlace?
        if let target {
            let found = try context.protected.place(of: target, for: operand)
            let new = NewFile(place: found, identity: nil, source: input.file)
            if let objection = context.protected.objection(to: new) { throw objection }
            place = found
        }
        let resumed = try resumption(input)
        let output = try Output.chosen(
            for: place, inputs: [input.identity], note: resumed?.note, ofSize: input.source.size, settings,
            context.observation.monitor, latch, context.memory, asking: context.asking)
        let upload = output.upload
        if let upload { context.watch(upload, output.name) }
        let source = input.source.identity
        let isInPlace =
            command.replacesInput && place?.identity(followingLinks: true)?.isSameFile(as: source) == true
        let summary: Summary
        do throws(Complaint) {
            summary =
                if let file = input.followed { try follow(file, input, output) } else {
                    try transfer(input, output, by: resumed?.operation)
                }
        } catch {
            // Of damaged content, the same command would make no object either.
            if error.failure?.isOfContent == true { upload?.leaveNothing() }
            throw error
        }
        // Data from standard input is new, even if standard input is a file.
        let original = input.path == nil || !input.source.isFile ? nil : input.source
        let file = place.flatMap { place in
            output.isNewFile ? NewFile(place: place, identity: output.sink?.identity, source: input.file) : nil
        }
        if let checksum = input.decodedChecksum, file != nil { try compare(output, with: checksum) }
        try finish(output, file, metadataOf: original, replacing: isInPlace ? source : nil)
        if let upload { try readBack(upload) }
        if settings.output.isRemovalAsked, file != nil || upload != nil {
            try input.file.remove(context.protected.removedNames)
        }
        return summary
    }

    /// Adds one operand to an output that several share.
    func run(_ operand: Operand, into output: borrowing Output) throws(Complaint) -> Summary {
        let input = try Input(operand, settings)
        if let sink = output.sink, sink.isFile, sink.identity.isSameFile(as: input.source.identity) {
            var complaint = Complaint(input.name, "is the input and the output")
            if operand.folder != nil { complaint.fate = .own }
            throw complaint
        }
        if let file = input.source.descriptor { context.access.withLock { $0.narrow(to: file) } }
        return try transfer(input, output)
    }

    /// - Parameter operation: nil for the command's operation on this input.
    func transfer(
        _ input: borrowing Input, _ output: borrowing Output, by operation: (any RunOperation)? = nil
    ) throws(Complaint) -> Summary {
        let operation =
            if let operation { operation } else {
                try Complaint.about(
                    source: input.name, target: output.name,
                    command.operation(for: input.source, named: input.name, settings, console))
            }
        var job = job(operation)
        context.fullDisk?.onWaiting { [console, name = output.name] error in
            console.warn("\(name.printable): \(error.sentence); waiting for space (Ctrl-C to stop)")
        }
        var source = input.source
        // With -M, only a job that was fitted to the limit runs.
        let limited = try settings.limits.memory == nil ? nil : fit(&job, input)
        if let summary = try runWhole(job, input, &source, output) { return summary }
        // Looking up the memory takes a moment, in which a signal would leave a temporary file.
        context.signals.start()
        // Processors are counted, and the available memory is looked up, only for inputs that may need them.
        let wanted = if let limited { limited } else { try fit(&job, input) }
        context.observation.note(windowLimit: job.windowLimit)
        if settings.output.resumes, output.upload == nil { try prepareToContinue(output, as: job.recipe) }
        if settings.reporting.verbosity > 0 { describe(job, wanted, input, output) }
        return try runPipeline(job, input, source, output)
    }

    /// What the upload of an object is continued with; nil if it is not.
    private func resumption(
        _ input: borrowing Input
    ) throws(Complaint) -> (operation: any RunOperation, note: UploadNote)? {
        guard settings.output.resumes, let object = settings.output.destination.object, let path = input.path else {
            return nil
        }
        let name = input.name
        if path.isOpenDescriptor { throw Complaint(name, "has no name: --resume keeps a note beside the source") }
        let operation = try Complaint.about(
            source: name, target: object, command.operation(for: input.source, named: name, settings, console))
        guard let recipe = job(operation).recipe else {
            throw Complaint(name, "does not become an object that --resume can continue")
        }
        do throws(Failure) {
            let recipe = settings.recipe(of: input.source.identity, recipe)
            return (operation, try UploadNote(beside: path, recipe: recipe))
        } catch {
            var complaint = Complaint(error, source: path)
            complaint.hint = complaint.hint ?? (error.code == .file ? "--resume keeps a note beside the source" : nil)
            throw complaint
        }
    }

    /// Prepares the run to continue an unfinished output, and to be continued by a later run.
    private func prepareToContinue(_ output: borrowing Output, as recipe: String?) throws(Complaint) {
        try output.checkRecipe(recipe, startsOver: settings.isForced)
        guard let note = output.note else { return }
        if !note.isLocked {
            console.warn(output.name, "can't be locked: nothing keeps another process from making it too")
        }
        context.signals.advise { note.hasOutput ? RunContext.continuationHint : nil }
    }

    /// Runs an input that needs the pipeline; one that proves damaged may be inspected to its end.
    ///
    /// - Parameter source: the input, with the bytes that `runWhole` has read and given back.
    private func runPipeline(
        _ job: Job, _ input: borrowing Input, _ source: Source, _ output: borrowing Output
    ) throws(Complaint) -> Summary {
        let sink = output.sink
        let summary: Summary
        do throws(Failure) { summary = try job.run(from: source, to: sink, latch: latch) } catch {
            if case .contentSizeMismatch(let announced, let actual)? = error.codecFailure, input.path == nil {
                throw Self.mismatch(of: input.name, announced: announced, actual)
            }
            if error.code == .incompleteInput { throw output.complaint(error) }
            let complaint = Complaint(error, source: input.name, target: output.name)
            guard let inspection = command.inspection(of: source, after: error, settings) else { throw complaint }
            return try inspect(input, with: inspection, after: complaint)
        }
        if settings.reporting.verbosity > 0 {
            let peak = ByteCount.format(ProcessUsage().peakMemoryBytes)
            console.write("\(input.name.printable): peak memory \(peak) so far\n")
        }
        if let offset = summary.ignoredZeros ?? input.decodedZeros {
            console.warn("\(input.name.printable): zeros after the data, from byte \(offset) on: ignored")
        }
        try checkSize(of: summary, input)
        if asksForPart, source.stream != nil, let path = input.path, settings.input.remote[path] != nil {
            console.warnOfReading(path, summary.bytesIn)
        }
        warnOfGrowth(source, summary, input)
        return summary
    }

    /// Whether a part of the content was asked for, or a list.
    private var asksForPart: Bool {
        !settings.decoding.ranges.isEmpty || !settings.members.selection.patterns.isEmpty
            || settings.members.isAsked && settings.activity.content == .output
    }

    /// Warns if a file that is compressed has become longer than what was read of it.
    private func warnOfGrowth(_ source: Source, _ summary: Summary, _ input: borrowing Input) {
        guard settings.activity.content == .input, source.isFile, let size = source.size,
            UInt64(summary.contentSize) == size, let now = source.currentIdentity?.size,
            now > source.start + size
        else { return }
        console.warn("\(input.name.printable): grew while it was read: the output has its first \(size) bytes")
    }

    /// A job with the chosen settings, on one thread.
    func job(_ operation: any RunOperation) -> Job {
        var job = Job(operation, threads: 1, monitor: context.observation.monitor)
        job.reading = settings.input.reading
        job.splitsFrames = settings.decoding.splitsFrames
        job.rateLimit = context.rateLimit
        // What has come of a stream that is followed is written, too.
        if settings.decoding.following != nil { job.inputEnd = context.inputEnd }
        // With --from-command, a signal makes the run fail rather than end its input, so that no file gets a name.
        if settings.compression.flushInterval != nil, command.activity.content == .input,
            settings.input.command == nil
        {
            job.inputEnd = context.inputEnd
        }
        job.buffer = settings.limits.buffer
        job.fillBeforeWriting = settings.limits.fillBeforeWriting
        job.hash = settings.verification.hash
        job.fullDisk = context.fullDisk
        if context.observation.isWatching { job.saidObstacles.append(.watched) }
        if settings.reporting.verbosity > 0 { job.saidObstacles.append(.described) }
        if settings.output.waitsWhenFull == true { job.saidObstacles.append(.waiting) }
        if context.protected.isChain { job.saidObstacles.append(.chain) }
        if settings.verification.readsBack { job.saidObstacles.append(.readBack) }
        return job
    }

    /// Runs a small input on the calling thread, if nothing keeps the run from that.
    ///
    /// - Returns: nil if the input needs the pipeline; nothing is written then, and `source` holds what was read.
    private func runWhole(
        _ job: Job, _ input: borrowing Input, _ source: inout Source, _ output: borrowing Output
    ) throws(Complaint) -> Summary? {
        let summary = try Complaint.about(
            source: input.name, target: output.name,
            job.runWhole(from: &source, to: output.sink, latch: latch) {
                if $0 > Self.momentarySize { context.signals.start() }
            })
        if let summary { try checkSize(of: summary, input) }
        return summary
    }

    /// Checks the size of standard input against `--stream-size`.
    private func checkSize(of summary: Summary, _ input: borrowing Input) throws(Complaint) {
        guard command.activity.content != .output, input.path == nil, let size = settings.input.streamSize,
            size != summary.contentSize
        else { return }
        throw Self.mismatch(of: input.name, announced: size, UInt64(summary.contentSize))
    }

    /// - Parameter actual: nil if there are more than announced.
    private static func mismatch(of name: FilePath, announced: UInt64, _ actual: UInt64?) -> Complaint {
        let read = actual.map { "read \($0) bytes" } ?? "read more"
        return Complaint(name, "\(read), but --stream-size said \(announced)")
    }

    /// Inspects all of a damaged file.
    ///
    /// - Throws: `complaint`, if no content is lost, the file can't be read again, or it continues in another format.
    private func inspect(
        _ input: borrowing Input, with operation: any RunOperation, after complaint: Complaint
    ) throws(Complaint) -> Summary {
        if input.source.size ?? 0 > Self.quickInspection { console.warn(complaint.sentence + "; looking for more") }
        guard let source = input.source.again else { throw complaint }
        var job = Job(operation, threads: 1)
        _ = try fit(&job, input)
        let summary = try Complaint.about(source: input.name, job.run(from: source, to: nil, latch: latch))
        let ranges = summary.lost?.ranges ?? []
        if ranges.contains(where: { CompressedInput(source.subrange($0.input)).foreignFormat != nil }) {
            throw complaint
        }
        if summary.lost?.isOfContent == true { return summary }
        // A second look may find nothing wrong, as when a disk has failed only once.
        guard let lost = summary.lost, lost.isOfDamage else { throw complaint }
        var complaint = complaint
        let report = LossReport(lost: lost, name: input.path ?? Operand.standardInput, isWritten: false)
        complaint.sentence = report.lines.first ?? complaint.sentence + "; no content is lost"
        throw complaint
    }

    /// The numbers of workers and slots of a job.
    private typealias Size = (workers: Int, slots: Int)

    /// Gives the job its threads, and reduces it to fit the available memory.
    ///
    /// - Returns: its size before it was reduced.
    private func fit(_ job: inout Job, _ input: borrowing Input) throws(Complaint) -> Size {
        job.threads = settings.limits.threads
        let wanted = (workers: job.workerCount, slots: job.slotCount)
        let change = try context.memory.fit(
            &job, of: input.name, inputSize: contentSize(of: input),
            isDecompression: command.activity.content == .output,
            countsWindows: countsWindows)
        if let change { console.warn("\(input.name.printable): \(change)") }
        return wanted
    }

    /// Bytes that are compressed, if that is known.
    private func contentSize(of input: borrowing Input) -> UInt64? {
        command.activity.content == .input ? input.source.size : nil
    }

    /// Whether windows count towards the memory: a limit that the user chose is neither reduced to fit nor counted.
    private var countsWindows: Bool { settings.decoding.chosenWindowLimit == nil }

    /// Says how the run is set up, and how much memory it may take.
    private func describe(
        _ job: Job, _ wanted: Size, _ input: borrowing Input, _ output: borrowing Output
    ) {
        let own = job.memory(inputSize: contentSize(of: input), countsWindows: countsWindows)
        let memory = own + context.memory.reserved
        let most =
            settings.compression.options.cutsByContent ? "up to " : settings.compression.lineEnd != nil ? "about " : ""
        let parity =
            job.parityMemory(inputSize: contentSize(of: input)).map { ", \(ByteCount.format($0)) of it for parity" }
            ?? ""
        let frames = job.frameSize.map { ", frames of \(most)\(ByteCount.format($0))" } ?? ""
        let isCut = job.workerCount < wanted.workers || job.slotCount < wanted.slots
        let cut = isCut ? " (reduced to fit, from \(wanted.workers) and \(wanted.slots))" : ""
        let limit = context.memory.limit.map { " (\($0.words))" } ?? ""
        console.write(
            """
            \(input.name.printable): \(job.workerCount) \(job.workerCount == 1 ? "worker" : "workers"), \(job.slotCount) slots\(cut)\
            \(frames)
            memory up to \(ByteCount.format(memory))\(parity)\(limit)

            """)
        guard settings.reporting.verbosity > 1 else { return }
        let (source, sink) = (input.source, output.sink)
        let paths = FastPath.allCases.filter { $0 != .batch || settings.mayMakeSeveral }
        let words = paths.map { $0.words(job.obstacle(to: $0, from: source, to: sink)) }
        console.write("way: \(words.joined(separator: "; "))\n")
    }
}

extension FileRun {
    /// Completes the output, and gives it its name.
    ///
    /// - Parameters:
    ///   - file: the file that is made from one source; nil if there is none.
    ///   - original: the file whose metadata the output gets.
    ///   - replaced: the source, if the output takes its name; it must be as it was.
    func finish(
        _ output: consuming Output, _ file: NewFile? = nil, metadataOf original: Source? = nil,
        replacing replaced: FileIdentity? = nil
    ) throws(Complaint) {
        let (name, isNewFile, start) = (output.name, output.isNewFile, StageSpan.now())
        let isObject = output.upload != nil
        let display = context.observation.display
        let awaited = "waiting for \(name.spelled) to be complete"
        if isObject { display.showAwaited(awaited) }
        defer { if isObject { display.showAwaited(nil) } }
        let growing = settings.output.growing
        if let growing, let sink = output.sink { try Complaint.about(source: name, growing.finish(on: sink)) }
        try readBack(output)
        do throws(Complaint) {
            // A closure can't consume a value that it captures, but it can take the value out of an optional.
            var output: Output? = output
            let original = growing?.source ?? original
            var losses: OutputFile.Losses?
            _ = try context.protected.giveName(to: file) { () throws(Complaint) in
                let access = context.access.withLock { $0 }
                losses = try output.take()?.commit(
                    metadataOf: original, within: access, isSynced: settings.output.isSynced
                ) { existing in
                    if growing?.mayReplace(existing) == false {
                        return Complaint(name, "changed during --append: not replaced")
                    }
                    if let replaced, existing?.isUnchanged(since: replaced) != true {
                        return Complaint(name, "changed during --repair: not replaced")
                    }
                    return file.flatMap { file in
                        context.protected.objection(to: file, inPlaceOf: existing)
                            ?? refusal(of: file, inPlaceOf: existing)
                    }
                } didSend: { sent, all in
                    let (part, whole) = (ByteCount.format(UInt64(sent)), ByteCount.format(UInt64(all)))
                    display.showAwaited(sent < all ? "sent \(part) of \(whole) to \(name.spelled)" : awaited)
                }
                return true
            }
            losses?.warn(about: name, isCopied: original?.isFile == true, on: console)
            context.signals.advise(nil)
        } catch {
            throw error.failure?.errno == .fileExists ? .createdMeanwhile(name) : error
        }
        if isNewFile || isObject {
            let stage = settings.output.isSynced && !isObject ? StageSpan.Stage.sync : .name
            context.observation.monitor.record(StageSpan(stage: stage, start: start))
        }
    }

    /// Lets the output replace a file that another run has just made from the same source, since either is as good. Any
    /// other new file stays.
    private func refusal(of file: NewFile, inPlaceOf existing: FileIdentity?) -> Complaint? {
        guard !settings.isForced, let existing else { return nil }
        let claim = command.claim(on: file.target, of: file.source.identity)
        // `OutputFile` knows whether the answer to the question allowed the replacement.
        if claim == .ask { return nil }
        // Only kind and size are compared: a third run may have replaced the file that was seen, with one of the same
        // size.
        let isSeen = file.place.identity(followingLinks: true).map {
            $0.kind == existing.kind && $0.size == existing.size
        }
        return claim == .replace && isSeen == true ? nil : .createdMeanwhile(file.target)
    }
}

extension Source {
    /// The same bytes from their start, after a run that failed; nil if they come only once.
    fileprivate var again: Source? {
        if let file = ranges as? RemoteFile { return Source(file.reopened()) }
        return descriptor.flatMap { lseek($0.rawValue, off_t(start), SEEK_SET) < 0 ? nil : self }
    }
}

extension Output {
    /// Says what became of the output, since the command that made the input has failed.
    fileprivate func complaint(_ failure: Failure) -> Complaint {
        let isThere = upload == nil && (try? FileIdentity(at: name, followingLinks: false)) != nil
        let outcome =
            !isNewFile && upload == nil
            ? "the output is incomplete"
            : "\(name.printable) \(isThere ? "is unchanged" : upload == nil ? "was not created" : "was not written")"
        var complaint = Complaint("\(failure); \(outcome)")
        complaint.failure = failure
        return complaint
    }
}

extension FileRun {
    /// Reads the output back from the disk for `--verify=file`, and decodes all of it.
    func readBack(_ output: borrowing Output) throws(Complaint) {
        guard settings.verification.readsBack, let descriptor = output.sink?.descriptor else { return }
        try Complaint.about(source: output.name, OutputFile.sync(descriptor, output.name))
        try decode(descriptor, of: output, isOnDisk: true)
    }

    /// Decodes the output of `--recompress`, and compares its content with what the input had.
    ///
    /// - Parameter checksum: XXH64 of the input's content.
    private func compare(_ output: borrowing Output, with checksum: UInt64) throws(Complaint) {
        guard let descriptor = output.sink?.descriptor else { return }
        let content = try Complaint.about(source: output.name, ChecksumSink())
        try decode(descriptor, to: content, of: output, isOnDisk: false)
        if content.value != checksum { throw Complaint(output.name, "has other content than the input: not made") }
    }

    private func decode(
        _ file: FileDescriptor, to sink: ChecksumSink? = nil, of output: borrowing Output, isOnDisk: Bool
    ) throws(Complaint) {
        do throws(Failure) { try decode(file, to: sink) } catch {
            var complaint = Complaint(output.name, "read back\(isOnDisk ? " from the disk" : ""): \(error)")
            complaint.failure = error
            throw complaint
        }
    }

    /// - Throws: as `Job.run` does for damaged input.
    private func decode(_ file: FileDescriptor, to sink: ChecksumSink?) throws(Failure) {
        // Direct writes left nothing in the page cache. Drop what it has of the file, where the file system can.
        try? file.setDirectWrites(false)
        posix_fadvise(file.rawValue, 0, 0, POSIX_FADV_DONTNEED)
        try Failure.reading(file.stand(at: 0))
        try decode(try Source(file), to: sink)
    }

    private func decode(_ source: Source, to sink: ChecksumSink? = nil) throws(Failure) {
        // The output may have a window of any size.
        let decompression = Decompression(
            dictionary: settings.references.decompressionDictionary, windowLimit: Int(DecodingLimits.largestWindow))
        var job = Job(decompression, threads: settings.limits.threads)
        // Reduce the job to fit into the memory that the window leaves, and run it even if it does not fit.
        if let limit = context.memory.limit {
            let window = UInt64(settings.compression.options.windowSize(contentSize: nil))
            let bytes = limit.bytes - min(limit.bytes, window)
            _ = job.fit(into: bytes, inputSize: nil, countsWindows: false)
        }
        // Return the memory that compression has freed: windows are mapped separately, and can't use it.
        sluice_return_memory()
        _ = try job.run(from: source, to: sink.map { Sink($0) }, latch: latch)
    }

    /// Reads an object back from its store for `--verify=file`, and decodes all of it. If its content is wrong, the
    /// object is removed, unless it has replaced another.
    private func readBack(_ upload: ObjectUpload) throws(Complaint) {
        guard settings.verification.readsBack, let path = settings.output.destination.object else { return }
        do throws(Failure) {
            let file = try upload.open()
            let number = latch.onFailure { file.cancel() }
            defer { latch.forget(number) }
            try decode(Source(file))
        } catch {
            // A signal: the run says nothing else any more.
            if error == .cancelled { upload.tell(Self.isUnread) }
            guard error.isOfContent else {
                var complaint = Complaint(path, "\(Self.isUnread): \(error)")
                complaint.failure = error
                throw complaint
            }
            let isRemoved = (try? upload.remove()) == true
            var complaint = Complaint(
                path, "read back from the store: \(error)\(isRemoved ? "; the object is removed" : "; it stays there")")
            complaint.failure = error
            throw complaint
        }
    }

    private static let isUnread = "the object was made, but could not be read back"
}

extension Failure {
    /// Whether what was read is wrong, rather than that it could not be read.
    fileprivate var isOfContent: Bool {
        [.truncated, .corrupt, .unsupportedFormat, .wrongSize, .verification].contains(code)
    }
}
