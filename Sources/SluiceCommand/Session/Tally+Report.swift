import Sluice

/// The end of a call: losses, the summary, and the outcome for statistics.
extension Tally {
    private var settings: Settings { context.settings }
    private var console: Console { context.console }

    /// Reports everything, failures first.
    ///
    /// - Parameter signal: the signal that ended the call; nil if none did.
    /// - Returns: the exit code, as of `RunContext.end`.
    func report(endedBy signal: Int32?) -> Int32 {
        let isTold = tellLosses()
        if signal == nil { summarize(elapsed: context.elapsed) }
        let code = context.end(counts.outcome(endedBy: signal, console.firstError), by: signal)
        return isTold ? code : 1
    }

    /// Reports what damaged files have lost, as text and with `--json` as an object.
    ///
    /// - Returns: whether the object could be written.
    private func tellLosses() -> Bool {
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

    private func summarize(elapsed: Duration) {
        // A test of a damaged file has failed; its recovery has not.
        let (count, done) = (counts.count, settings.activity.hasOutput ? counts.done : counts.whole)
        guard done > 0, settings.showsSummary else { return }
        let name =
            !settings.areMany
            ? Operand.name(of: settings.operands[0])
            : done == count ? count.counted("file") : "\(done) of \(count) files OK, \(count - done) failed"
        console.write(total.line(name: name, settings.activity, elapsed: elapsed, hasFailures: done < count) + "\n")
    }
}
