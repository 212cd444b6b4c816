import Sluice
import SystemPackage

/// One call that joins what is made already: what watches it, and what is said at its end.
struct JoinSession {
    let latch = FailureLatch()
    let instruments: Instruments
    private let signals: Signals
    private let settings: Settings
    private let console: Console
    private let start = ContinuousClock.now

    /// - Throws: why a file that the statistics go to can't be written.
    init(_ operands: [FilePath], _ settings: Settings, _ console: Console) throws(Complaint) {
        Shortage.prepare(quietness: settings.quietness)
        signals = Signals(latch: latch, inputEnd: InputEnd(), console: console)
        signals.start()
        instruments = try Instruments(operands, MadeFiles(operands, settings), settings, console)
        (self.settings, self.console) = (settings, console)
    }

    /// What was made of parts.
    struct Joined {
        /// Nil for standard output.
        var name: FilePath?
        /// Bytes.
        var size: UInt64 = 0
        /// What the runs did that made the parts, if that was asked for.
        var parts: Statistics.Parts?
    }

    /// Runs what joins.
    ///
    /// - Returns: the exit code. A signal that ended the run ends the process instead.
    func run(_ join: () throws(Complaint) -> Joined) -> Int32 {
        var (joined, complaint) = (Joined(), Complaint?.none)
        do throws(Complaint) { joined = try join() } catch { complaint = error }
        var total = Summary()
        (total.bytesIn, total.bytesOut, total.contentSize) = (joined.size, joined.size, joined.size)
        total.duration = .now - start
        instruments.display.finish(total, files: 1)
        let signal = signals.cause(of: complaint?.failure)
        if let complaint, complaint.failure != .cancelled, complaint.failure != .writing(.brokenPipe) {
            console.error(complaint.sentence, hint: complaint.hint)
        }
        let ending: Statistics.Ending = signal != nil ? .interrupted : complaint == nil ? .success : .failure
        let isReported = instruments.report(
            Statistics.Outcome(
                ending, error: complaint?.sentence, files: complaint == nil ? 1 : 0,
                failedFiles: complaint == nil ? 0 : 1),
            parts: joined.parts)
        if let signal { Signals.die(by: signal) }
        StandardDescriptors.restore()
        if complaint == nil, settings.quietness == 0, let name = joined.name {
            console.write("\(name.printable): \(ByteCount.format(joined.size)), joined\n")
        }
        return complaint == nil && isReported ? 0 : 1
    }
}
