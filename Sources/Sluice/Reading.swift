/// Who reads a file that is cut into chunks of equal size.
public enum Reading: String, CaseIterable, Sendable {
    /// Dispatch, but for what lies in the page cache while no processor is free to copy it: then the workers.
    case auto
    /// Dispatch: libdispatch does one read or write at a time for all the files of a disk.
    case dispatch
    /// Each worker reads its own chunks, beside the others.
    case workers
}

/// Decides for each chunk whether a worker reads it for itself (docs/decisions/reading-in-workers.md).
struct FileReaders: Sendable {
    private let reading: Reading
    private let workers: Int
    private let processors: Int
    private let slots: Slots
    /// Chunks, one after another, that a worker should rather have read.
    private var misread = 0

    init(_ reading: Reading, workers: Int, processors: Int = availableProcessors(), slots: Slots) {
        self.reading = reading
        self.workers = workers
        self.processors = processors
        self.slots = slots
    }

    /// Whether a worker is to read the next chunk, which has its slot.
    mutating func areWorkers(isCached: @autoclosure () -> Bool) -> Bool {
        switch reading {
        case .dispatch: return false
        case .workers: return true
        case .auto: break
        }
        guard isCached() else {
            misread = 0
            return false
        }
        // At the beginning workers wait anyway. More chunks than there are slots are not the beginning.
        if misread <= slots.count { misread = wouldDisplaceWorker || hasIdleWorker ? misread + 1 : 0 }
        return misread > slots.count
    }

    /// A copy from the page cache is work for a processor, and all of them have a worker.
    private var wouldDisplaceWorker: Bool { workers >= processors }

    /// Were there a slot in use for each worker besides this chunk's, all of them would have something to do.
    private var hasIdleWorker: Bool { slots.inUse <= workers }
}
