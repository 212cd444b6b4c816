import SluiceEngine
import Synchronization

/// The settings and services that all runs of one call share.
final class RunContext: Sendable {
    /// The hint after an unfinished run with `--resume`.
    static let continuationHint = "the same command continues it"

    let settings: Settings
    let console: Console
    /// The console for questions; nil if no one can answer them.
    let asking: Console?
    /// A failure of one run does not end the others; a signal ends all of them.
    let latch = FailureLatch()
    let inputEnd = InputEnd()
    let signals: Signals
    let observation: RunObservation
    let protected: ProtectedFiles
    let memory: MemoryLimit
    /// Applies to all operands together, however small each is.
    let rateLimit: RateLimit?
    /// Where writes wait when a disk is full; nil if they fail.
    let fullDisk: FullDisk?
    /// A call that dies in the middle of a run reports what it has so far.
    /// Who may read an output that has content of several files.
    let access = Mutex(CommonAccess())
    let counts = Mutex(OperandCounts())

    /// - Throws: why a file for statistics, a trace or a report can't be written, or why the rate can't be read.
    init(_ settings: Settings, _ console: Console) throws(Complaint) {
        (self.settings, self.console) = (settings, console)
        asking = settings.asking(console)
        signals = Signals(latch: latch, inputEnd: inputEnd, console: console)
        protected = ProtectedFiles(settings)
        observation = try RunObservation(protected, settings, console)
        memory = MemoryLimit(settings.memoryOfRun)
        // A rate that a file sets is not known yet.
        rateLimit = settings.limits.rate.map { RateLimit(bytesPerSecond: Int(clamping: $0.fixed ?? 1)) }
        if let path = settings.limits.rate?.file { try rateLimit?.follow(path) }
        fullDisk = settings.waitsWhenFull ? FullDisk() : nil
        settings.input.remote.endRequests(with: latch)
        observation.display.watch(signals) { [fullDisk] in fullDisk?.retry() }
        if let command = settings.input.command {
            signals.pass(to: { command.end(with: $0) })
            command.onAwaited { [observation] in
                observation.display.showAwaited($0 ? "waiting for \(command.name.string) to exit" : nil)
            }
        }
        signals.beforeDeath { [self] number in
            var counts = counts.withLock { $0 }
            counts.failed += 1
            counts.count = max(settings.operands.count, counts.done + counts.failed)
            _ = observation.report(counts.outcome(endedBy: number, console.firstError))
        }
    }

    /// Lets a signal, or the failure of the call, end an upload, and leaves it its memory.
    ///
    /// - Parameter name: of the object.
    func watch(_ upload: ObjectUpload, _ name: FilePath) {
        memory.reserve(UInt64(upload.memory))
        signals.waitForStore()
        signals.start()
        latch.onFailure { upload.cancel() }
        if let most = upload.scarceCapacity {
            let size = ByteCount.format(most)
            console.warn(name, "can have \(size) at most: the memory allows no larger parts, unless --upload-part does")
        }
    }

    /// Since the call began.
    var elapsed: Duration { .nanoseconds(StageSpan.now() - console.start) }
    /// Whether to start no further operand.
    var isOver: Bool { latch.failure != nil || inputEnd.isAsked }

    /// Reports a failed operand; ends all runs if a signal was the cause.
    func report(_ complaint: Complaint) {
        if complaint.failure == .cancelled { return }
        if let failure = complaint.failure, signals.cause(of: failure) != nil {
            // No later file would fare better. A reader that closed the pipe is not an error.
            latch.fail(failure)
            if failure == .writing(.brokenPipe) { return }
        }
        let remedy = complaint.failure.flatMap { settings.remedy(for: $0, of: complaint.source) }
        // An upload that is left says more of itself.
        let isHalfWritten =
            settings.output.resumes && settings.output.destination.object == nil && complaint.failure?.code == .writing
        let hint = remedy ?? complaint.hint ?? (isHalfWritten ? Self.continuationHint : nil)
        var complaint = complaint
        complaint.hint = hint
        console.error(complaint, mayBeCounted: settings.mayMakeSeveral && !settings.reporting.isForPrograms)
    }
}

extension RunContext {
    /// Prints the hash and the name of the content in the format of sha256sum, for sha256sum -c, on standard output, or
    /// on standard error if the data goes to standard output.
    func printHash(_ hash: String, of operand: FilePath) throws(Complaint) {
        let goesToStandardOutput = settings.goesToStandardOutput(ofStream: operand.isStandardInput)
        let descriptor: FileDescriptor =
            settings.activity.hasOutput && goesToStandardOutput ? .standardError : .standardOutput
        let name = contentName(of: operand).bytes
        // Like sha256sum: a name with a backslash or line break is escaped, and a leading backslash marks it.
        let escaped = name.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\\"): Array("\\\\".utf8)
            case UInt8(ascii: "\n"): Array("\\n".utf8)
            case UInt8(ascii: "\r"): Array("\\r".utf8)
            default: [byte]
            }
        }
        let line: [UInt8] = (escaped == name ? [] : [UInt8(ascii: "\\")]) + hash.utf8 + "  ".utf8 + escaped + "\n".utf8
        try Complaint.aboutPrinting(console.print(line, on: descriptor))
    }

    /// The name of the file with the content: the source of a compression, the output of a decompression.
    private func contentName(of operand: FilePath) -> FilePath {
        let path = settings.output.destination.path ?? settings.output.destination.object
        return switch settings.activity.content {
        case .input: operand
        case .both: operand.isStandardInput ? path ?? operand : operand
        case .output: path ?? settings.derivedName(of: operand) ?? FileName.decompressed(operand) ?? operand
        }
    }
}

/// Counts and reports the outcome of each operand.
extension RunContext {
    /// Counts an operand that is done, and prints the hash of its content.
    func add(_ summary: Summary, of operand: Operand) throws(Complaint) {
        counts.withLock { counts in
            counts.total += summary
            guard let lost = summary.lost else { return }
            counts.losses.append(LossReport(lost: lost, name: operand.path, isWritten: settings.activity.hasOutput))
        }
        if let finding = summary.repair, settings.reporting.quietness == 0 {
            let words = finding.isWhole ? "is as it was made" : "repaired: \(finding.words)"
            console.notice("\(Operand.name(of: operand.path).printable): \(words)")
        }
        if let hash = summary.contentHash { try printHash(hash, of: operand.path) }
        counts.withLock { $0.done += 1 }
    }

    /// Counts an operand that is not done, and reports why.
    ///
    /// - Parameter isOnly: whether it is the only operand, so that skipping it is a failure.
    func add(_ complaint: Complaint, isOnly: Bool) {
        switch complaint.fate {
        case .own:
            counts.withLock { $0.own += 1 }
        case .skipped where !isOnly:
            console.warn(complaint.sentence)
            counts.withLock { $0.skipped += 1 }
        case .skipped, .failed:
            report(complaint)
            counts.withLock { $0.failed += 1 }
        }
    }
}
