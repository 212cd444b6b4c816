package import ByteStreams
internal import Dispatch

/// Copies the data unchanged.
package struct Copying: RunOperation {
    package init() {}

    package var contentSide: Activity.Content { .both }
    package var slotSize: Int { 1 << 20 }

    package func workers(of threads: Int) -> Int { 1 }
    package func memory(of size: RunSize) -> Int { (size.slots + size.workers) * slotSize }

    package func run(on engine: Engine) throws(Failure) { try run(on: engine, cut: nil) }

    /// - Parameters:
    ///   - length: how many bytes are copied; nil for all.
    ///   - cut: where pieces end; nil for anywhere.
    func run(on engine: Engine, length: UInt64? = nil, cut: (any ChunkCut)?) throws(Failure) {
        // Slow input is passed on at most a tenth of a second later, unless output is held back.
        let flushInterval = engine.job.holdsBack ? DispatchTimeInterval.never : .milliseconds(100)
        var cutter = ContentCutter(
            engine.reader, chunkSize: slotSize, flushInterval: flushInterval, length: length, cut: cut,
            readers: FileReaders(.dispatch, workers: engine.workers, slots: engine.slots))
        try engine.run(&cutter) { () throws(Failure) in CopyTransform() }
    }
}
