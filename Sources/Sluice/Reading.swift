/// Who reads a file that is cut into chunks of equal size.
public enum Reading: String, CaseIterable, Sendable {
    /// Dispatch, until that is shown to be what the workers wait for; then the workers.
    case auto
    /// Dispatch: libdispatch does one read or write at a time for all the files of a disk.
    case dispatch
    /// Each worker reads its own chunks, beside the others.
    case workers
}

/// Finds out whether workers should read for themselves (docs/decisions/reading-in-workers.md).
struct FileReaders: Sendable {
    /// Bytes per second above which a read is a copy from memory, or from a disk that can do several at once.
    private static let fastReading = 1e9

    /// Whether each worker reads its own chunks from now on.
    private(set) var areWorkers: Bool
    private let isMeasured: Bool
    private let workers: Int
    private let slots: Slots
    /// Chunks, one after another, that were read fast, and yet came too late for a worker that had none.
    private var unmet = 0

    init(_ reading: Reading, workers: Int, slots: Slots) {
        areWorkers = reading == .workers
        isMeasured = reading == .auto
        self.workers = workers
        self.slots = slots
    }

    /// Takes note that Dispatch read so many bytes since then, for a chunk that has its slot.
    mutating func didRead(_ count: Int, since start: UInt64) {
        guard isMeasured, !areWorkers else { return }
        let seconds = max(1e-9, Double(Span.now() - start) / 1e9)
        // Were there a slot in use for each worker besides this chunk's, all of them would have something to do.
        let isUnmet = slots.inUse <= workers && Double(count) / seconds >= Self.fastReading
        unmet = isUnmet ? unmet + 1 : 0
        // At the beginning workers wait anyway. More chunks than there are slots are not the beginning.
        areWorkers = unmet > slots.count
    }
}
