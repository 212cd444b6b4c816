/// The short way of a small input.
extension Job {
    /// A run that could take more memory than this asks how much there is, in bytes.
    private static let littleMemory: UInt64 = 64 << 20

    /// Reads, transforms and writes a small input on the calling thread, with plain calls; nobody is told of it.
    ///
    /// Channels and workers have nothing to do at the same time there, and to start them takes longer than the work.
    /// The output has the same bytes.
    ///
    /// - Parameters:
    ///   - source: a file, or a pipe whose writers have gone. What was read of it is still in it where nil is returned.
    ///   - latch: keeps the result from being written if it has failed.
    /// - Returns: nil, with nothing written, for what takes a `run`: so does what is wrong with the input, for there
    ///   what comes before the damage is written.
    /// - Throws: as `run` does.
    package func runWhole(
        from source: inout Source, to sink: Sink?, latch: FailureLatch
    ) throws(Failure) -> Summary? {
        guard rateLimit == nil, fullDisk == nil, reading == .auto, sink?.resumption == nil,
            let size = source.sizeAtHand, size <= WholeFileWorker.sizeLimit,
            operation.decompresses || memory(inputSize: size) <= Self.littleMemory,
            var worker = try WholeFileWorker(Action(operation: operation), lane: 0, monitor: nil)
        else { return nil }
        worker.contentLimit = Int(WholeFileWorker.sizeLimit)
        worker.hash = hash
        let start = ContinuousClock.now
        guard try worker.read(source, size), var summary = try? worker.work() else {
            try worker.giveBack(&source)
            return nil
        }
        try latch.check()
        if let sink {
            try worker.write(to: sink)
            summary.bytesOut = UInt64(worker.resultSize)
        }
        summary.duration = .now - start
        return summary
    }
}
