import SluiceEngine

/// Processes one small file as a whole, on the calling thread, where `FileRun` would run a `Job`.
///
/// Cases that need a decision, such as an existing name or a FIFO as output, are left to `FileRun`.
struct SmallFileRun: Sendable {
    let settings: Settings
    let command: any Transfer
    /// The command's operation, which handles each small file as a whole.
    let operation: any WholeFileOperation
    let protected: ProtectedFiles
    /// The number of threads, each with one file at a time.
    let lanes: Int
    let monitor: Monitor
    let console: Console

    /// Whether the data must be on the disk before the file gets its name.
    var isSynced: Bool { settings.output.isSynced && settings.activity.hasOutput }

    /// Bytes above which the name is checked before the file is read or written.
    ///
    /// A check takes the directory's lock, which threads that name files need: skipping it saves ten thousand small
    /// files a sixth of the time. An existing file is still found when the name is given; only the work is lost.
    private static let uncheckedLimit = 64 << 10

    /// Processes a file, except for its name.
    ///
    /// - Returns: `pending`; `done` if nothing is written; `left`, with nothing done, if the file needs a `FileRun`.
    func write(
        _ operand: Operand, _ worker: inout WholeFileWorker, _ disk: any Disk
    ) throws(Complaint) -> SmallFileBatch.Outcome {
        guard !operand.path.isStandardInput,
            let entry = try? operand.identity(followingLinks: false),
            let identity = entry.isSymbolicLink ? try? operand.identity(followingLinks: true) : entry,
            identity.kind == .file,
            identity.size <= Job.largestWholeFile
        else { return .left }
        try protected.refuseOwn(operand, identity)
        let input = try Input(operand, settings, entry: entry)
        let source = input.file
        let target = try settings.outputName(for: input.path, source: input.source)
        let place = if let target { try protected.place(of: target, for: operand) } else { nil as OutputPlace? }
        let isFree = { place.map { mayTake(NewFile(place: $0, identity: nil, source: source)) } ?? true }
        if identity.size > Self.uncheckedLimit, !isFree() { return .left }
        do throws(Complaint) {
            return try write(input, place, &worker, disk, isFree)
        } catch {
            // `FileRun` may have a better answer.
            guard let failure = error.failure else { throw error }
            // It accepts larger windows too, of one file at a time.
            if failure.code == .windowTooLarge { return .left }
            if command.inspection(of: input.source, after: failure, settings) != nil || !isFree() { return .left }
            throw error
        }
    }

    private func write(
        _ input: borrowing Input, _ place: OutputPlace?, _ worker: inout WholeFileWorker, _ disk: any Disk,
        _ isFree: () -> Bool
    ) throws(Complaint) -> SmallFileBatch.Outcome {
        let (name, source) = (input.name, input.source)
        let transformed = try Complaint.about(source: name, worker.transform(source))
        guard var summary = transformed, source.isFile else { return .left }
        guard let place else { return .done(summary) }
        let target = place.path
        if worker.resultSize > Self.uncheckedLimit, !isFree() { return .left }
        var output = try Output.newFile(at: place, isReplacing: settings.isForced, settings)
        guard let sink = output.sink, var file = output.file.take() else { return .left }
        // A shared sync goes through the directory, which this process must be able to open.
        if isSynced, !file.canSyncFolder { return .left }
        do throws(Failure) {
            var syncing = OutputFile.Syncing.later
            if isSynced {
                let isShared = try disk.willWrite(to: target, in: file.folder, on: sink.identity.device)
                syncing = isShared ? .together : .alone
            }
            try worker.write(to: sink)
            summary.bytesOut = worker.resultSize
            try file.complete(metadataOf: source.descriptor, syncing).warn(about: target, on: console)
        } catch {
            throw Complaint(error, source: name, target: target)
        }
        let new = NewFile(place: place, identity: sink.identity, source: input.file)
        return .pending(PendingFile(summary, new, file))
    }

    /// Gives a file its name.
    ///
    /// - Returns: whether it has the name; if not, the file needs a `FileRun`.
    func giveName(to file: PendingFile) throws(Complaint) -> Bool {
        try protected.giveName(to: file.new) { () throws(Complaint) in
            try file.publish { mayTake(file.new, from: $0) }
        }
    }

    /// Whether a small file may take its name without a question, and without replacing a FIFO or a device.
    func mayTake(_ file: NewFile) -> Bool {
        mayTake(file, from: file.place.identity(bypassingCache: true))
    }

    /// - Parameter existing: what has the name; for a link, the link itself.
    private func mayTake(_ file: NewFile, from existing: FileIdentity?) -> Bool {
        if let existing {
            guard settings.isForced, existing.kind == .file, !existing.isSameFile(as: file.source.identity),
                settings.objection(to: existing) == nil
            else { return false }
        } else if file.identity == nil {
            return true
        }
        return protected.objection(to: file, inPlaceOf: existing) == nil
    }
}
