/// What a run does: one of the operations, made by a function that has its name, such as `.compress(compression)`.
package struct Action: Sendable {
    let operation: any Operation
}

/// One thing that a run can do with its data: a type each, in a file of its own, with its function in `Action`.
///
/// What all of them have in common is in `Job`, and what they run on is an `Engine`.
protocol Operation: Sendable {
    /// Which side has decompressed bytes. What is made from the input (`.input`) is seldom read next: it may go past
    /// the page cache.
    var contentSide: Statistics.Activity.Content { get }
    /// Bytes of a buffer that one slot stands for.
    var slotSize: Int { get }
    /// Decompressed bytes of each frame that it makes; nil if it cuts no frames.
    var frameSize: Int? { get }
    /// With fewer slots the run would deadlock, or its stages would take turns.
    var leastSlots: Int { get }
    /// Everything besides the input that determines the output, on one line; nil if an output can't be resumed.
    var recipe: String? { get }
    /// How many of the threads work on chunks.
    func workers(of threads: Int) -> Int
    /// The most bytes that a run may hold besides those of the process: a forecast.
    func memory(of size: RunSize) -> Int
    /// Takes less memory from now on.
    ///
    /// - Returns: false if it can't save more in this way.
    mutating func reduceMemory(by saving: Saving) -> Bool
    /// Accepts one frame at a time whose window is larger than the limit, up to `singleWindow` bytes.
    mutating func accept(singleWindow: UInt64)
    /// The largest window that it accepts, in bytes; nil if it decodes nothing.
    var windowLimit: UInt64? { get }
    /// The bytes of a source that it reads, as a source of its own.
    func content(of source: Source) throws(Failure) -> Source
    /// Begins a run: what surrounds the frames of the output; nil for nothing.
    mutating func envelope(from source: Source, to sink: Sink?) throws(Failure) -> (any Envelope)?
    /// Cuts the input into chunks, and says what a worker does to each.
    func run(on engine: Engine) throws(Failure)
    /// Does what takes only a moment, though the input may be large, on the calling thread and with plain calls.
    ///
    /// - Parameter willWrite: receives how many bytes it will write.
    /// - Returns: nil, with nothing written, if it takes a run.
    func runAtOnce(
        from source: Source, to sink: Sink?, willWrite: (Int) throws(Failure) -> Void
    ) throws(Failure) -> Summary?
    /// The most bytes that a worker holds for a small file; nil if every file takes a run.
    var wholeFileMemory: Int? { get }
    /// What transforms small files; nil if every file takes a run.
    func makeWholeFileTransform() throws(Failure) -> (any WholeFileTransform)?
}

extension Operation {
    var frameSize: Int? { nil }
    /// While a frame comes in segments it holds one, the segment that is read another, and the reader a third.
    var leastSlots: Int { 3 }
    var recipe: String? { nil }
    var decompresses: Bool { contentSide == .output }
    var readsContent: Bool { contentSide == .input }

    func workers(of threads: Int) -> Int { threads }
    /// A slot's bytes before and after, and as much for each worker.
    func memory(of size: RunSize) -> Int { (size.slots + size.workers) * 2 * slotSize }
    mutating func reduceMemory(by saving: Saving) -> Bool { false }
    mutating func accept(singleWindow: UInt64) {}
    var windowLimit: UInt64? { nil }
    func content(of source: Source) throws(Failure) -> Source { source }
    func envelope(from source: Source, to sink: Sink?) throws(Failure) -> (any Envelope)? { nil }
    func runAtOnce(
        from source: Source, to sink: Sink?, willWrite: (Int) throws(Failure) -> Void
    ) throws(Failure) -> Summary? { nil }
    var wholeFileMemory: Int? { nil }
    func makeWholeFileTransform() throws(Failure) -> (any WholeFileTransform)? { nil }
}

/// An operation that decodes frames as a decompression does, with the same memory.
protocol DecodingOperation: Operation {
    var decompression: Decompression { get set }
}

extension DecodingOperation {
    var contentSide: Statistics.Activity.Content { .output }
    var slotSize: Int { decompression.slotSize }
    func memory(of size: RunSize) -> Int { decompression.memory(of: size) }
    mutating func reduceMemory(by saving: Saving) -> Bool { decompression.reduceMemory(by: saving) }
    mutating func accept(singleWindow: UInt64) { decompression.accept(singleWindow: singleWindow) }
    var windowLimit: UInt64? { decompression.windowLimit }
}

/// An operation that makes frames as a compression does, with the same memory.
protocol CompressingOperation: Operation {
    var compression: Compression { get set }
}

extension CompressingOperation {
    var contentSide: Statistics.Activity.Content { .input }
    var slotSize: Int { compression.slotSize }
    var frameSize: Int? { compression.frameSize }
    var leastSlots: Int { compression.leastSlots }
    func memory(of size: RunSize) -> Int { compression.memory(of: size) }
    mutating func reduceMemory(by saving: Saving) -> Bool { compression.reduceMemory(by: saving) }
}
