import Sluice
import SystemPackage

/// What is done with one small file: as a whole, by the thread that takes it, where `FileRun` would run a `Job`.
///
/// What it finds no answer for, such as a name that is taken or an output that is a FIFO, it leaves to `FileRun`.
struct SmallFileRun: Sendable {
    let settings: Settings
    let monitor: Monitor
    let made: MadeFiles
    /// What is done with the content.
    let action: Action
    /// Threads, each with a file.
    let lanes: Int
    private let console: Console

    /// - Returns: nil if every file takes a `FileRun`.
    init?(
        _ verb: any Transfer, _ settings: Settings, _ monitor: Monitor, _ made: MadeFiles, _ memory: MemoryBudget,
        _ console: Console
    ) {
        // With -v each file is described by what its job says of itself. What is read back is synced by itself.
        guard settings.output == .derived || !settings.verb.activity.hasOutput, settings.rateLimit == nil,
            settings.verbosity == 0, !settings.readsBack, let action = verb.wholeFileAction(settings)
        else { return nil }
        self.settings = settings
        self.monitor = monitor
        self.made = made
        self.action = action
        self.console = console
        lanes = memory.lanes(of: settings.threads, for: action)
    }

    /// Whether what is written has to be on the disk before it gets its name.
    var isSynced: Bool { settings.isSynced && settings.verb.activity.hasOutput }

    /// What is larger, in bytes, is not read or written before somebody has looked at what has its name.
    ///
    /// A look takes the folder's lock, which those who give names hold in turn: without it ten thousand files take less
    /// time by a sixth. What is there shows when the name is given, too late only for the work to be saved.
    private static let unseenLimit = 64 << 10

    /// Does a file, all but its name.
    ///
    /// - Returns: nil, with nothing done, if the file takes a `FileRun`.
    func write(
        _ operand: Operand, _ worker: inout WholeFileWorker, _ disk: any Disk
    ) throws(Complaint) -> PendingFile? {
        guard operand.path != Operand.standardInput,
            let entry = try? operand.identity(followingLinks: false),
            let identity = entry.isSymbolicLink ? try? operand.identity(followingLinks: true) : entry,
            identity.kind == .file,
            identity.size <= WholeFileWorker.sizeLimit
        else { return nil }
        try made.refuseOwn(operand, identity)
        let input = try Input(operand, settings, entry: entry)
        let target = try Output.name(for: input.path, source: input.source, settings)
        if let target { try made.mirror?.prepare(for: target, of: operand) }
        let isFree = {
            target.map {
                mayTake(NewFile(target: $0, identity: nil, source: identity, sourcePath: operand.path))
            } ?? true
        }
        if identity.size > Self.unseenLimit, !isFree() { return nil }
        do throws(Complaint) {
            return try pending(input, target, &worker, disk, isFree)
        } catch {
            // Who looks first, or closer, has another answer.
            if let failure = error.failure, inspects(input.source, after: failure) || !isFree() { return nil }
            throw error
        }
    }

    private func inspects(_ source: Source, after failure: Failure) -> Bool {
        (settings.verb as? any Transfer)?.inspection(of: source, after: failure, settings) != nil
    }

    /// Reads, transforms and writes it.
    private func pending(
        _ input: borrowing Input, _ target: FilePath?, _ worker: inout WholeFileWorker, _ disk: any Disk,
        _ isFree: () -> Bool
    ) throws(Complaint) -> PendingFile? {
        let (name, source) = (input.name, input.source)
        let transformed = try Complaint.about(source: name, target: name) { () throws(Failure) in
            try worker.transform(source)
        }
        guard var summary = transformed, let file = input.file else { return nil }
        if worker.resultSize > Self.unseenLimit, !isFree() { return nil }
        var output =
            try target.map { target throws(Complaint) in
                try Output(newFileAt: target, isReplacing: settings.isForced, settings)
            } ?? Output()
        // What is synced together is synced through its folder, which must be open to us.
        if output.sink != nil, isSynced, !output.canSyncFolder { return nil }
        do throws(Failure) {
            if let sink = output.sink {
                var syncing = OutputFile.Syncing.later
                if isSynced {
                    let isShared = try disk.willWrite(to: output.name, on: sink.identity.device)
                    syncing = isShared ? .together : .alone
                }
                try worker.write(to: sink)
                summary.bytesOut = UInt64(worker.resultSize)
                let losses = try output.complete(metadataOf: source, syncing)
                if let warning = losses.warning(for: output.name) { console.warn(warning) }
            }
        } catch {
            throw Complaint(error, source: name, target: output.name)
        }
        return PendingFile(summary, from: file, output)
    }

    /// Gives a file its name.
    ///
    /// - Returns: whether it has it; otherwise it takes a `FileRun`.
    func name(_ file: PendingFile) throws(Complaint) -> Bool {
        let new = file.new
        return try made.naming(new, isReplacing: settings.isForced) { () throws(Complaint) in
            try file.publish { mayTake(new, from: $0) }
        }
    }

    /// Removes the source of a file that is safe under its name, if that was asked for.
    func removeSource(of file: PendingFile) throws(Complaint) {
        if settings.removesSource, file.file != nil { try file.source.remove() }
    }

    /// Whether a small file may have its name, without a question and without a reader who waits for its end.
    func mayTake(_ file: NewFile) -> Bool {
        mayTake(file, from: try? FileIdentity(at: file.target, followingLinks: false, isFresh: true))
    }

    /// - Parameter existing: what has the name, or a link itself.
    private func mayTake(_ file: NewFile, from existing: FileIdentity?) -> Bool {
        if let existing {
            guard settings.isForced, existing.kind == .file, !existing.isSameFile(as: file.source),
                !settings.references.contain(existing), !settings.isFileList(existing)
            else { return false }
        } else if file.identity == nil {
            return true
        }
        return made.objection(to: file, inPlaceOf: existing) == nil
    }
}
