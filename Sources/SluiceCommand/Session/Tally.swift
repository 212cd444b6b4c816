import Sluice
import Synchronization

/// Counts what became of the operands, and reports the ones that failed.
struct Tally {
    let context: RunContext
    private(set) var total = Summary()
    var counts = OperandCounts() { didSet { context.counts.withLock { $0 = counts } } }
    /// Symbolic links that were not followed.
    private var skipped = 0
    /// Files that this run created in the directories that it walks.
    private var own = 0
    /// Losses of the damaged files among those that are done.
    private(set) var losses: [LossReport] = []

    init(_ context: RunContext) {
        self.context = context
    }

    /// Counts an operand that is done, and prints the hash of its content.
    mutating func add(_ summary: Summary, of operand: Operand) throws(Complaint) {
        total += summary
        if let lost = summary.lost {
            let isWritten = context.settings.activity.hasOutput
            losses.append(LossReport(lost: lost, name: operand.path, isWritten: isWritten))
            if lost.isOfContent { counts.damaged += 1 }
        }
        if let hash = summary.contentHash {
            let line = HashLine(hash, of: operand.path, context.settings)
            try Complaint.aboutPrinting(context.console.print(line.bytes, on: line.descriptor))
        }
        counts.done += 1
    }

    /// Counts an operand that is not done, and reports why.
    mutating func add(_ complaint: Complaint, isOnly: Bool) {
        if complaint.isOwn {
            own += 1
        } else if complaint.isSkipped, !isOnly {
            context.console.warn(complaint.sentence)
            skipped += 1
        } else {
            context.report(complaint)
            counts.failed += 1
        }
    }

    /// Completes the counts, when no operand is left to run.
    mutating func end(_ queue: OperandQueue) {
        counts.failed += queue.failures
        // Skipped links are no failure beside a file that is done.
        if counts.done == 0, skipped > 0 { counts.failed += skipped }
        counts.count = max(queue.count - own - skipped, counts.done + counts.failed)
    }
}
