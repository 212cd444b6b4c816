import SluiceEngine

/// Ends a call: reports the outcome of all operands, and chooses the exit code, 1 if one of them is not complete.
extension RunContext {
    /// Reports everything, failures first.
    ///
    /// - Parameter signal: the signal that ended the call; nil if none did.
    /// - Returns: the exit code, as `end` does.
    func report(_ counts: OperandCounts, endedBy signal: Int32?) -> Int32 {
        let isTold = tell(counts.losses)
        console.warnOfOthers()
        if signal == nil {
            if let warning = settings.input.command?.warning { console.warn(warning) }
            if let notice = settings.input.command?.notice { console.warn(notice) }
            summarize(counts)
        }
        let code = end(counts.outcome(endedBy: signal, console.firstError), by: signal)
        return isTold ? code : 1
    }

    /// Reports what damaged files have lost, as text and with `--json` as an object.
    ///
    /// - Returns: whether the object could be written.
    private func tell(_ losses: [LossReport]) -> Bool {
        for report in losses { if let repairs = report.repairs { console.warn(repairs) } }
        for report in losses where report.lost.isOfDamage {
            let hint = report.mayNeedReference ? settings.referenceHint : nil
            let lines = settings.reporting.isJSON ? [report.summary] : [report.summary] + report.lines
            for line in lines { console.error(line, hint: hint) }
        }
        guard settings.reporting.isJSON, settings.command.optionGroups.contains(.recovery) else { return true }
        let page = Array((JSON.page(FileReports(files: losses, version: 4)) + "\n").utf8)
        let descriptor: FileDescriptor = settings.goesToStandardOutput ? .standardError : .standardOutput
        do throws(Complaint) {
            try Complaint.aboutPrinting(console.print(page, on: descriptor))
            return true
        } catch {
            console.error(error)
            return false
        }
    }

    /// Whether the part that was asked for has no content, which was said.
    private func isEmptyPart(_ counts: OperandCounts) -> Bool {
        settings.command.part != nil && settings.activity.content == .output && counts.total.contentSize == 0
    }

    private func summarize(_ counts: OperandCounts) {
        // A test of a damaged file has failed; its recovery has not.
        let (count, done) = (counts.count, settings.activity.hasOutput ? counts.done : counts.whole)
        guard done > 0, settings.showsSummary, !isEmptyPart(counts) else { return }
        let name =
            !settings.mayMakeSeveral
            ? settings.runName(of: settings.operands[0]).printable
            : done == count ? count.counted("file") : "\(done) of \(count) files OK, \(count - done) failed"
        let line = counts.total.line(
            name: name, settings.activity, elapsed: elapsed, hasFailures: done < count, hasRatio: settings.hasRatio)
        console.write(line + "\n")
    }

    /// Reports the outcome of the call, whose runs have been wound up: their temporary files are gone.
    ///
    /// - Parameter signal: the signal that ended the runs; nil if none did.
    /// - Returns: the exit code. If a signal ended the runs, the process dies by it instead.
    func end(_ outcome: RunOutcome, by signal: Int32?) -> Int32 {
        let isReported = observation.report(outcome)
        let isSuccess = outcome.ending == .success && isReported
        settings.input.command?.dismiss(hasSucceeded: isSuccess)
        if let signal {
            signals.sayFarewell(signal)
            Signals.die(by: signal)
        }
        StandardDescriptors.restore()
        return isSuccess ? 0 : 1
    }
}

/// The outcomes of a call's operands so far.
struct OperandCounts: Sendable {
    var total = Summary()
    var done = 0
    var failed = 0
    /// Symbolic links that were not followed.
    var skipped = 0
    /// Files that this run created in the directories that it walks.
    var own = 0
    /// All operands, as far as they are known.
    var count = 0
    /// Losses of the damaged files among those that are done.
    var losses: [LossReport] = []

    /// Damaged files, among those that are done.
    var damaged: Int { losses.count(where: \.lost.isOfDamage) }
    /// Files that `-t` accepts.
    var whole: Int { done - damaged }

    /// Completes the counts, when no operand is left to run.
    mutating func end(_ queue: OperandQueue) {
        failed += queue.failures
        // Skipped links are not failures if another file is done.
        if done == 0, skipped > 0 { failed += skipped }
        count = max(queue.count - own - skipped, done + failed)
    }

    /// How the call ended.
    ///
    /// - Parameters:
    ///   - signal: the one that ended it; nil if none did.
    ///   - firstError: the first error, as it was reported.
    func outcome(endedBy signal: Int32?, _ firstError: String?) -> RunOutcome {
        var words = [signal.map(Signals.interruption), firstError].compactMap(\.self)
        let missing = count - whole
        if count > 1, missing > 0 {
            words.append("\(missing) of \(count) files \(missing == 1 ? "is" : "are") not complete")
        }
        let ending: RunOutcome.Ending = signal != nil ? .interrupted : missing == 0 ? .success : .failure
        return RunOutcome(
            ending, error: ending == .success || words.isEmpty ? nil : words.joined(separator: "; "),
            files: whole, failedFiles: failed + damaged)
    }
}
