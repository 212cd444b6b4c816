import Sluice
import Synchronization

/// What is counted and reported of each operand, and at the end of the call.
extension RunContext {
    /// Counts an operand that is done, and prints the hash of its content.
    func add(_ summary: Summary, of operand: Operand) throws(Complaint) {
        tally.withLock { tally in
            tally.total += summary
            guard let lost = summary.lost else { return }
            tally.losses.append(LossReport(lost: lost, name: operand.path, isWritten: settings.activity.hasOutput))
            if lost.isOfContent { tally.damaged += 1 }
        }
        if let hash = summary.contentHash { try printHash(hash, of: operand.path) }
        tally.withLock { $0.done += 1 }
    }

    /// Counts an operand that is not done, and reports why.
    func add(_ complaint: Complaint, isOnly: Bool) {
        if complaint.isOwn {
            tally.withLock { $0.own += 1 }
        } else if complaint.isSkipped, !isOnly {
            console.warn(complaint.sentence)
            tally.withLock { $0.skipped += 1 }
        } else {
            report(complaint)
            tally.withLock { $0.failed += 1 }
        }
    }

    /// Reports everything, failures first.
    ///
    /// - Parameter signal: the signal that ended the call; nil if none did.
    /// - Returns: the exit code, as of `end`.
    func report(_ tally: Tally, endedBy signal: Int32?) -> Int32 {
        let isTold = tell(tally.losses)
        console.warnOfOthers()
        if signal == nil { summarize(tally) }
        let code = end(tally.outcome(endedBy: signal, console.firstError), by: signal)
        return isTold ? code : 1
    }

    /// Reports what damaged files have lost, as text and with `--json` as an object.
    ///
    /// - Returns: whether the object could be written.
    private func tell(_ losses: [LossReport]) -> Bool {
        for report in losses where report.lost.count > 0 {
            let hint = report.mayNeedReference ? settings.referenceHint : nil
            let lines = settings.reporting.isJSON ? [report.sum] : [report.sum] + report.lines
            for line in lines {
                if report.lost.isOfContent { console.error(line, hint: hint) } else { console.warn(line) }
            }
        }
        guard settings.reporting.isJSON, settings.command.heeds.contains(.recovery) else { return true }
        let page = Array((JSON.page(["version": 2, "files": losses.map(\.object)] as [String: Any]) + "\n").utf8)
        let descriptor: FileDescriptor = settings.isFilter ? .standardError : .standardOutput
        do throws(Complaint) {
            try Complaint.aboutPrinting(console.print(page, on: descriptor))
            return true
        } catch {
            console.error(error)
            return false
        }
    }

    private func summarize(_ tally: Tally) {
        // A test of a damaged file has failed; its recovery has not.
        let (count, done) = (tally.count, settings.activity.hasOutput ? tally.done : tally.whole)
        guard done > 0, settings.showsSummary else { return }
        let name =
            !settings.areMany
            ? Operand.name(of: settings.operands[0]).printable
            : done == count ? count.counted("file") : "\(done) of \(count) files OK, \(count - done) failed"
        let line = tally.total.line(name: name, settings.activity, elapsed: elapsed, hasFailures: done < count)
        console.write(line + "\n")
    }
}
