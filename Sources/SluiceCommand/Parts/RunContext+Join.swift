import Sluice

/// The result of joining parts.
struct Joined {
    /// Nil for standard output.
    var name: FilePath?
    /// Bytes.
    var size: UInt64 = 0
    /// Statistics of the runs that made the parts, if they were asked for.
    var parts: Statistics.Parts?
}

extension RunContext {
    /// Runs `join`, and reports its result.
    ///
    /// - Returns: the exit code. If a signal ended the run, the process dies by it instead.
    func run(_ join: () throws(Complaint) -> Joined) -> Int32 {
        var (joined, complaint) = (Joined(), Complaint?.none)
        signals.start()
        do throws(Complaint) { joined = try join() } catch { complaint = error }
        var total = Summary()
        let size = Int(clamping: joined.size)
        (total.bytesIn, total.bytesOut, total.contentSize) = (size, size, size)
        instruments.display.finish(total, files: 1, isDone: complaint == nil)
        let signal = signals.cause(of: complaint?.failure)
        if let complaint, complaint.failure != .cancelled, complaint.failure != .writing(.brokenPipe) {
            console.error(complaint)
        }
        let ending: Statistics.Ending = signal != nil ? .interrupted : complaint == nil ? .success : .failure
        let outcome = Statistics.Outcome(
            ending, error: signal.map(Signals.interruption) ?? complaint?.sentence, files: complaint == nil ? 1 : 0,
            failedFiles: complaint == nil ? 0 : 1)
        let code = end(outcome, by: signal, parts: joined.parts)
        if complaint == nil, settings.reporting.quietness == 0, let name = joined.name {
            console.write("\(name.printable): \(ByteCount.format(joined.size)), joined\n")
        }
        return code
    }
}
