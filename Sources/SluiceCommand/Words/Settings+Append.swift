/// What a file grows by.
extension Settings {
    /// - Throws: what does not go with frames that are added to others.
    func checkAppending() throws(UsageError) {
        guard verb is Append else { return }
        guard case .path = output else {
            throw UsageError("--append has no file to add to", hint: "-o FILE.zst names it")
        }
        let others = [
            (isSingleFrame, "a single frame (--single-frame, --long, --patch-from)"), (dictionary != nil, "-D"),
            (flushInterval != nil, "--flush-interval"), (isStrongest, "--max"),
        ]
        if let other = others.first(where: \.0) {
            throw UsageError(
                "--append and \(other.1) do not go together", hint: "what is added are frames like those of any run")
        }
        if removesSource {
            throw UsageError("--append keeps its sources", hint: "leave --rm out, and rm them after it")
        }
    }
}
