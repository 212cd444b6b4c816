/// Decides for each chunk whether a worker reads it itself (docs/decisions/reading.md).
struct FileReaders: Sendable {
    private let reading: ReadingMode
    private let workers: Int
    /// Whether every processor has a worker, so that a copy from the page cache would take it from one.
    private let areAllBusy: Bool
    private let slots: Slots
    /// Consecutive chunks that are better read by a worker.
    private var suited: Int

    init(_ reading: ReadingMode, workers: Int, processors: Int = countedProcessors, slots: Slots) {
        self.reading = reading
        self.workers = workers
        areAllBusy = workers >= processors
        self.slots = slots
        // If every processor has a worker, workers read from the beginning: if that is cached, most likely all of the
        // file is. Otherwise it is not known yet whether workers will be idle.
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
        // Wait for more such chunks in a row than there are slots. Fewer mean nothing: workers are always idle at the
        // beginning, and after uncached data some is cached only because the kernel has read ahead.
        if suited <= slots.count { suited = areAllBusy || hasIdleWorker ? suited + 1 : 0 }
        return suited > slots.count
    }

    /// With a slot in use for each worker besides this chunk's, all workers would be busy.
    private var hasIdleWorker: Bool { slots.inUse <= workers }
}
