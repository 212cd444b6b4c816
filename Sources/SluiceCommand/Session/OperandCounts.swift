import Sluice

/// What became of the operands of a call so far.
struct OperandCounts {
    var done = 0
    var failed = 0
    /// Files that lost content, among those that are done.
    var damaged = 0
    /// All operands, as far as they are known.
    var count = 0

    /// Files whose content is complete.
    var whole: Int { done - damaged }

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
