internal import Glibc

/// Compresses or decompresses small files, one after another, on the calling thread.
///
/// A file of one chunk leaves a pipeline nothing to overlap, and building one costs more than the work. The output is
/// the same as that of a `Job`.
package struct WholeFileWorker: ~Copyable {
    private let transform: any WholeFileTransform
    private let decompresses: Bool
    // Kept from file to file: that saves allocations, and the detour through the queue that frees memory.
    private var input = GatherBuffer()
    private var result = GatherBuffer()
    /// Bytes that were read last.
    private var inputSize = 0
    /// The most content that is held, in bytes.
    var contentLimit = Int.max
    /// Bytes that the last file became.
    package private(set) var resultSize = 0
    private let lane: Int
    private let monitor: Monitor?
    package var hash: HashFunction?

    /// Nil if the operation needs a `Job`.
    ///
    /// - Parameter lane: the number of the thread, for the monitor.
    package init?(_ operation: any WholeFileOperation, lane: Int, monitor: Monitor?) throws(Failure) {
        guard let transform = try operation.makeWholeFileTransform() else { return nil }
        self.transform = transform
        decompresses = operation.decompresses
        self.lane = lane
        self.monitor = monitor
    }

    /// Reads and transforms one file, and keeps the result for `write(to:)`.
    ///
    /// - Returns: nil if the file has more than one chunk, and so needs a `Job`.
    /// - Throws: as `Job.run` does.
    package mutating func transform(_ source: Source) throws(Failure) -> Summary? {
        guard let size = source.sizeAtHand, try read(source, size) else { return nil }
        return try work()
    }

    /// Reads one input of `size` bytes, and keeps it.
    ///
    /// - Returns: whether the input ends there; otherwise it needs a `Job`.
    /// - Throws: as `Job.run` does.
    mutating func read(_ source: Source, _ size: UInt64) throws(Failure) -> Bool {
        guard size <= Job.largestWholeFile, size <= transform.sizeLimit else { return false }
        let start = StageSpan.now()
        // One byte more shows whether a file has grown.
        let most = Int(size) + (source.isFile ? 1 : 0)
        let memory = try input.room(for: most)
        let descriptor = try source.requireDescriptor()
        inputSize = try Failure.reading(descriptor.fill(memory, atLeast: Int(size)))
        monitor?.record(StageSpan(stage: .read, lane: lane, bytes: inputSize, start: start))
        if source.isFile, inputSize < size {
            throw .sourceShrank(expected: size, read: UInt64(inputSize))
        }
        return inputSize <= size
    }

    /// Gives the bytes that were read back to the source.
    mutating func giveBack(_ source: inout Source) throws(Failure) {
        guard inputSize > 0 else { return }
        if source.isFile, let descriptor = source.descriptor {
            lseek(descriptor.rawValue, off_t(-inputSize), SEEK_CUR)
        } else {
            source = source.read(by: BufferSource(Bytes(Array(try input.room(for: inputSize)))))
        }
    }

    /// Transforms the bytes that were read, and keeps the result.
    ///
    /// - Returns: nil if they need a `Job`.
    mutating func work() throws(Failure) -> Summary? {
        guard let size = try transformInput(inputSize) else { return nil }
        resultSize = size
        var summary = Summary()
        summary.bytesIn = inputSize
        summary.contentSize = decompresses ? size : inputSize
        if let running = try hash?.begin() {
            let memory = decompresses ? try result.room(for: size) : try input.room(for: inputSize)
            running.append(memory.bytes)
            summary.contentHash = try running.finish()
        }
        return summary
    }

    /// - Returns: bytes of the result; nil if it may be too large to hold at once.
    private mutating func transformInput(_ count: Int) throws(Failure) -> Int? {
        let source = try input.room(for: count).bytes
        guard let bound = try transform.bound(of: source), !decompresses || bound <= contentLimit else { return nil }
        let target = try result.room(for: bound)
        let start = StageSpan.now()
        monitor?.workerDidBegin()
        defer { monitor?.workerDidEnd() }
        let size = try transform.apply(source, into: target)
        let end = StageSpan.now()
        monitor?.record(StageSpan(stage: .work, lane: lane, bytes: size, source: count, start: start, end: end))
        monitor?.record(StageSpan(stage: .order, bytes: size, source: count, start: end, end: end))
        monitor?.didDeliver(Delivery(source: count, made: size), isWriting: false)
        return size
    }

    /// Writes the last result.
    ///
    /// - Throws: as `Job.run` does.
    package mutating func write(to sink: Sink) throws(Failure) {
        let start = StageSpan.now()
        try sink.write(result.room(for: resultSize).bytes)
        monitor?.record(StageSpan(stage: .write, lane: lane, bytes: resultSize, start: start))
    }
}
