/// Decides for each chunk whether a worker reads it itself (docs/decisions/reading-in-workers.md).
struct FileReaders: Sendable {
    private let reading: Reading
    private let workers: Int
    /// Whether every processor has a worker, so that a copy from the page cache would take it from one.
    private let areAllBusy: Bool
    private let slots: Slots
    /// Consecutive chunks that a worker had better read.
    private var suited: Int

    init(_ reading: Reading, workers: Int, processors: Int = countedProcessors, slots: Slots) {
        self.reading = reading
        self.workers = workers
        areAllBusy = workers >= processors
        self.slots = slots
        // If the beginning of a file is cached, most likely all of it is. Whether workers will be idle is not known
        // yet.
        suited = areAllBusy ? slots.count + 1 : 0
    }

    /// Whether a worker is to read the next chunk, which has its slot.
    mutating func areWorkers(isCached: @autoclosure () -> Bool) -> Bool {
        switch reading {
        case .dispatch: return false
        case .workers: return true
        case .auto: break
        }
        guard isCached() else {
            suited = 0
            return false
        }
        // At the beginning workers are idle anyway, and after uncached data the kernel has read ahead. Neither
        // explains more chunks than there are slots.
        if suited <= slots.count { suited = areAllBusy || hasIdleWorker ? suited + 1 : 0 }
        return suited > slots.count
    }

    /// With a slot in use for each worker besides this chunk's, all workers would be busy.
    private var hasIdleWorker: Bool { slots.inUse <= workers }
}
