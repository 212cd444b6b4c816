internal import Dispatch

/// Passes the data on as it is.
struct Copying: Operation {
    var decompresses: Bool { false }
    var contentSide: Statistics.Activity.Content { .both }
    var mayBypassCache: Bool { false }
    var slotSize: Int { 1 << 20 }

    func workers(of threads: Int) -> Int { 1 }
    func memory(of size: RunSize) -> Int { (size.slots + size.workers) * slotSize }

    func run(on engine: Engine) throws(Failure) -> Int {
        // What trickles in is passed on a tenth of a second later at most, unless it is to be held back.
        let flushInterval = engine.holdsBack ? DispatchTimeInterval.never : .milliseconds(100)
        var cutter = ContentCutter(
            engine.reader, chunkSize: slotSize, flushInterval: flushInterval,
            readers: FileReaders(.dispatch, workers: engine.workers, slots: engine.slots))
        let buffers = try engine.run(&cutter) { () throws(Failure) in CopyTransform() }
        return engine.slots.count * slotSize + buffers
    }
}

extension Action {
    /// Passes the data on as it is.
    public static var copy: Action { Action(operation: Copying()) }
}
