import Sluice

extension FileRun {
    /// Decompresses a share of the content into its place in a file that other processes write at the same time.
    ///
    /// - Returns: an empty summary if the share is done already.
    func run(
        _ share: ContentShare, of input: borrowing Input, into target: FilePath
    ) throws(Complaint) -> Summary {
        try Output.refuse(target, inputs: [input.source.identity], isReplacing: settings.isForced)
        let (source, name) = (input.source, input.name)
        let file = try Complaint.about(
            source: name, target: target, SharedFile(for: target, of: source, parts: share.count))
        let isLeft = try Complaint.about(
            source: name, target: target,
            file.begin(share, latch: latch) {
                console.warn("\(target.printable): another process is making \(share); waiting for it")
            })
        guard isLeft else {
            console.warn("\(target.printable): \(share) is already done")
            return Summary()
        }
        let operation = command.operation(on: file.content, settings, console)
        let summary = try transfer(input, try Output(part: share, of: file, as: target, settings.output), by: operation)
        let start = Span.now()
        try Complaint.about(source: name, target: target, file.finish(share, isSynced: settings.output.isSynced))
        context.instruments.monitor.recordNaming(since: start, isSynced: settings.output.isSynced)
        return summary
    }
}
