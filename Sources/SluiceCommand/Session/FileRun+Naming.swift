import Sluice

extension FileRun {
    /// Completes the output, and gives it its name.
    ///
    /// - Parameters:
    ///   - file: the file that is made from one source; nil if there is none.
    ///   - original: the file whose metadata the output gets.
    func finish(
        _ output: consuming Output, _ file: NewFile? = nil, metadataOf original: Source? = nil
    ) throws(Complaint) {
        let (name, isFile, start) = (output.name, output.isFile, Span.now())
        let growing = settings.references.growing
        if let growing, let sink = output.sink { try Complaint.about(source: name, growing.finish(on: sink)) }
        try readBack(output)
        do throws(Complaint) {
            var output: Output? = output
            let original = growing?.source ?? original
            var losses: OutputFile.Losses?
            _ = try context.made.naming(file) { () throws(Complaint) in
                losses = try output.take()?.commit(metadataOf: original, isSynced: settings.output.isSynced) {
                    existing in
                    if growing?.isReplaced(by: existing) == false {
                        return Complaint(name, "changed during --append: not replaced")
                    }
                    return file.flatMap { file in
                        context.made.objection(to: file, inPlaceOf: existing) ?? refusal(of: file, inPlaceOf: existing)
                    }
                }
                return true
            }
            losses?.warn(about: name, isCopied: original?.isFile == true, on: console)
            context.signals.advise(nil)
        } catch {
            throw error.failure?.errno == .fileExists ? .createdMeanwhile(name) : error
        }
        if isFile { context.instruments.monitor.recordNaming(since: start, isSynced: settings.output.isSynced) }
    }

    /// Allows a file that another run has made of the same source meanwhile, since either is as good. Any other new
    /// file stays.
    private func refusal(of file: NewFile, inPlaceOf existing: FileIdentity?) -> Complaint? {
        guard !settings.isForced, let existing, let repeats = command.repeats(file.target, of: file.source.identity)
        else {
            return nil
        }
        // A third run may have replaced the file that was seen, with one of the same size.
        let isSeen = Operand.identity(of: file.target).map { $0.kind == existing.kind && $0.size == existing.size }
        return repeats && isSeen == true ? nil : .createdMeanwhile(file.target)
    }
}
