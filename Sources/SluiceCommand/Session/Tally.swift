import Sluice

/// What became of the operands of a call so far.
struct Tally: Sendable {
    var total = Summary()
    var done = 0
    var failed = 0
    /// Files that lost content, among those that are done.
    var damaged = 0
    /// Symbolic links that were not followed.
    var skipped = 0
    /// Files that this run created in the directories that it walks.
    var own = 0
    /// All operands, as far as they are known.
    var count = 0
    /// Losses of the damaged files among those that are done.
    var losses: [LossReport] = []

    /// Files whose content is complete.
    var whole: Int { done - damaged }

    /// Completes the counts, when no operand is left to run.
    mutating func end(_ queue: OperandQueue) {
        failed += queue.failures
        // Skipped links are no failure beside a file that is done.
        if done == 0, skipped > 0 { failed += skipped }
        count = max(queue.count - own - skipped, done + failed)
    }

    /// How the call ended.
    ///
    /// - Parameters:
    ///   - signal: the one that ended it; nil if none did.
    ///   - firstError: in the words that reported it.
    func outcome(endedBy signal: Int32?, _ firstError: String?) -> Statistics.Outcome {
        var words = [signal.map(Signals.interruption), firstError].compactMap(\.self)
        let missing = count - whole
        if count > 1, missing > 0 {
            words.append("\(missing) of \(count) files \(missing == 1 ? "is" : "are") not complete")
        }
        let ending: Statistics.Ending = signal != nil ? .interrupted : missing == 0 ? .success : .failure
        return Statistics.Outcome(
            ending, error: ending == .success || words.isEmpty ? nil : words.joined(separator: "; "),
            files: whole, failedFiles: failed + damaged)
    }
}
