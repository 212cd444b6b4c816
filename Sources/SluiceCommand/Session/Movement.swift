import SluiceEngine

/// Notices when no byte moves anywhere in a run. All times are seconds since the start.
struct Movement {
    /// Seconds without movement after which a run has stalled.
    private static let limit = 2.0
    /// The same during a write. A pipe takes a MiB at a time, which can take a slow reader some seconds.
    private static let writeLimit = 10.0
    /// More than the bytes of a line on the terminal, which the process writes too.
    private static let leastTransfer: UInt64 = 4096

    private var amounts: [UInt64] = []
    private var transferred: UInt64 = 0
    private var isWriting = false
    /// When something moved last.
    private var last = 0.0

    /// Notes how far a run has come.
    ///
    /// - Parameters:
    ///   - amounts: bytes that were read, transformed and written.
    ///   - isBusy: whether a worker has a chunk, so that it moves unseen.
    ///   - isWriting: whether a write has begun. It counts in `amounts` only at its end.
    ///   - transfers: returns the bytes that the system has taken from this process.
    mutating func note(
        _ amounts: [UInt64], isBusy: Bool, isWriting: Bool, at now: Double,
        transfers: () -> UInt64 = Movement.transfers
    ) {
        self.isWriting = isWriting
        if isBusy || amounts != self.amounts { last = now }
        self.amounts = amounts
        guard isWriting else { return }
        let transferred = transfers()
        if transferred > self.transferred + Self.leastTransfer { last = now }
        self.transferred = transferred
    }

    /// Seconds since something moved, if that is long ago.
    func stall(at now: Double) -> Double? {
        let quiet = now - last
        return quiet > (isWriting ? Self.writeLimit : Self.limit) ? quiet : nil
    }

    /// What all write calls of this process have written, in bytes; 0 if unknown.
    private static func transfers() -> UInt64 {
        let line = readText("/proc/self/io").split(separator: "\n").first { $0.hasPrefix("wchar:") }
        return line.flatMap { UInt64($0.drop { !$0.isNumber }) } ?? 0
    }
}
