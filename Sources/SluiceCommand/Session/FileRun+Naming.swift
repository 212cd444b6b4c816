import Glibc
import Sluice

/// The beginning and the end of an output.
extension FileRun {
    /// Writes the beginning of a file that `--append` extends.
    func begin(_ output: borrowing Output) throws(Complaint) {
        guard let file = settings.references.growing, let sink = output.sink else { return }
        try Complaint.about(source: output.name, file.begin(on: sink, latch: latch))
    }

    /// Completes a file that `--append` extends, and reads the output back for `--verify=file`.
    private func end(_ output: borrowing Output) throws(Complaint) {
        guard let sink = output.sink else { return }
        try Complaint.about(source: output.name, settings.references.growing?.finish(on: sink))
        guard settings.verification.readsBack else { return }
        try Complaint.about(source: output.name, OutputFile.sync(sink.descriptor, output.name))
        do throws(Failure) { try readBack(sink.descriptor) } catch {
            var complaint = Complaint(output.name, "read back from the disk: \(error)")
            complaint.failure = error
            throw complaint
        }
    }

    /// Reads a synced output back from the disk, and decodes all of it.
    ///
    /// - Throws: as `Job.run` does for damaged input.
    private func readBack(_ file: FileDescriptor) throws(Failure) {
        // However large the window of the output is.
        let decompression = Decompression(
            windowLimit: MemoryBudget.largestWindow, dictionary: settings.references.decompression)
        var job = Job(.decompress(decompression), threads: settings.limits.threads)
        // The job is reduced as far as possible, and runs in any case.
        if let limit = context.memory.limit { _ = job.fit(into: limit.bytes, inputSize: nil, countsWindows: false) }
        // Direct writes left nothing in the page cache. Drop what it has of the file, where the file system can.
        try? file.setDirectWrites(false)
        posix_fadvise(file.rawValue, 0, 0, POSIX_FADV_DONTNEED)
        guard lseek(file.rawValue, 0, SEEK_SET) == 0 else { throw .reading(Errno(rawValue: errno)) }
        _ = try job.run(from: try Source(file), to: nil, latch: latch)
    }

    /// Gives the output its name.
    ///
    /// - Parameters:
    ///   - file: the file that is made from one source; nil if there is none.
    ///   - original: the file whose metadata the output gets.
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
            _ = try context.made.naming(file, isReplacing: settings.output.isForced) { () throws(Failure) in
                losses = try output.take()?.commit(metadataOf: original, isSynced: settings.output.isSynced) {
                    existing in
                    objection = file.flatMap { file in
                        context.made.objection(to: file, inPlaceOf: existing) ?? refusal(of: file, inPlaceOf: existing)
                    }
                    if growing?.isReplaced(by: existing) == false {
                        objection = Complaint(name, "changed during --append: not replaced")
                    }
                    return objection == nil
                }
                return true
            }
            if let warning = losses?.warning(for: name) { console.warn(warning) }
            context.signals.advise(nil)
        } catch {
            throw objection
                ?? (error.errno == .fileExists ? Self.createdMeanwhile(name) : Complaint(error, source: name))
        }
        if isFile { context.instruments.monitor.recordNaming(since: start, isSynced: settings.output.isSynced) }
    }

    /// Allows a file that another run has made of the same source meanwhile, since either is as good. Any other new
    /// file stays.
    private func refusal(of file: NewFile, inPlaceOf existing: FileIdentity?) -> Complaint? {
        guard !settings.output.isForced, let existing, let repeats = command.repeats(file.target, of: file.source)
        else {
            return nil
        }
        // A third run may have replaced the file that was seen, with one of the same size.
        let isSeen = Operand.identity(of: file.target).map { $0.kind == existing.kind && $0.size == existing.size }
        return repeats && isSeen == true ? nil : Self.createdMeanwhile(file.target)
    }

    private static func createdMeanwhile(_ path: FilePath) -> Complaint {
        Complaint(path, "was created meanwhile: not replaced")
    }
}
