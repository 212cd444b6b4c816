extension Job {
    /// Reads, transforms and writes a small input, or the little that is needed of a large one, on the calling thread,
    /// with plain calls and without a monitor.
    ///
    /// So little leaves channels and workers nothing to overlap, and starting them takes longer than the work. The
    /// output is the same.
    ///
    /// - Parameters:
    ///   - source: a file, or a pipe without writers. It gets its bytes back if the result is nil.
    ///   - latch: nothing is written if it has failed.
    ///   - willTake: receives how many bytes will be read as a whole, or written, before that.
    /// - Returns: nil, with nothing written, if the input needs a `run`. Damaged input does, because a run writes the
    ///   content before the damage.
    /// - Throws: as `run` does.
    package func runWhole(
        from source: inout Source, to sink: Sink?, latch: FailureLatch, willTake: (UInt64) -> Void = { _ in }
    ) throws(Failure) -> Summary? {
        guard obstacle(to: .whole, from: source, to: sink) == nil else { return nil }
        let start = ContinuousClock.now
        var summary: Summary?
        switch operation.shortcut {
        case .momentary(let operation):
            summary = try operation.runAtOnce(from: source, to: sink) { count throws(Failure) in
                try latch.check()
                willTake(UInt64(count))
            }
        case .wholeFile(let operation):
            willTake(source.size ?? 0)
            summary = try runWhole(operation, from: &source, to: sink, latch: latch)
        case nil: return nil
        }
        summary?.duration = .now - start
        return summary
    }

    private func runWhole(
        _ operation: any WholeFileOperation, from source: inout Source, to sink: Sink?, latch: FailureLatch
    ) throws(Failure) -> Summary? {
        guard let size = source.sizeAtHand, var worker = try WholeFileWorker(operation, lane: 0, monitor: nil) else {
            return nil
        }
        worker.contentLimit = Int(Self.largestWholeFile)
        worker.hash = hash
        guard try worker.read(source, size), var summary = try? worker.work() else {
            try worker.giveBack(&source)
            return nil
        }
        try latch.check()
        if let sink {
            try worker.write(to: sink)
            summary.bytesOut = worker.resultSize
        }
        return summary
    }
}
