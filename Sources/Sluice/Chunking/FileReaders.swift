/// Decides for each chunk whether a worker reads it for itself (docs/decisions/reading-in-workers.md).
struct FileReaders: Sendable {
    private static let processors = availableProcessors()

    private let reading: Reading
    private let workers: Int
    /// Whether a copy from the page cache takes the processor from a worker: all of them have one.
    private let areAllBusy: Bool
    private let slots: Slots
    /// Chunks, one after another, that a worker had better read.
    private var suited: Int

    init(_ reading: Reading, workers: Int, processors: Int = Self.processors, slots: Slots) {
        self.reading = reading
        self.workers = workers
        areAllBusy = workers >= processors
        self.slots = slots
        // A file of which the beginning is cached most likely is as a whole. Whether workers wait is not known yet.
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
        // At the beginning workers wait anyway, and behind what was not cached is what the kernel reads ahead. More
        // chunks than there are slots are neither.
        if suited <= slots.count { suited = areAllBusy || hasIdleWorker ? suited + 1 : 0 }
        return suited > slots.count
    }

    /// Were there a slot in use for each worker besides this chunk's, all of them would have something to do.
    private var hasIdleWorker: Bool { slots.inUse <= workers }
}
