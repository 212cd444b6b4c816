package import ByteStreams
package import ChunkPipeline

/// One thing that a run can do with its data. Each is a type with its own file.
///
/// What all of them have in common is in `Job`, and what they run on is an `Engine`.
package protocol RunOperation: Sendable {
    /// Which side has decompressed bytes. Compressed output (`.input`) is seldom read next, so it may go past the page
    /// cache.
    var contentSide: Activity.Content { get }
    /// Bytes of a buffer per slot.
    var slotSize: Int { get }
    /// The fewest slots: with fewer, the run would deadlock, or its stages would take turns.
    var leastSlots: Int { get }
    /// How many of the threads work on chunks.
    func workers(of threads: Int) -> Int
    /// The most bytes that a run may hold besides those of the process: a forecast.
    func memory(of size: RunSize) -> Int
    /// Takes less memory from now on.
    ///
    /// - Returns: false if it can't save more in this way.
    mutating func reduceMemory(by reduction: MemoryReduction) -> Bool
    /// The most bytes of memory for parity; nil without parity.
    ///
    /// - Parameter inputSize: in bytes; nil if unknown.
    func parityMemory(inputSize: UInt64?) -> Int?
    /// Says how much memory a limit leaves for the parity of the file that is read, in bytes.
    mutating func allowParity(_ bytes: Int)
    /// Begins a run.
    ///
    /// - Parameter source: on return, only the bytes that the run reads.
    /// - Returns: what surrounds the frames of the output; nil for nothing.
    mutating func begin(from source: inout Source, to sink: Sink?) throws(Failure) -> (any Envelope)?
    /// Cuts the input into chunks, and says what a worker does to each.
    func run(on engine: Engine) throws(Failure)
    /// Whether it writes what decodes of a frame that the end of the input cuts, if readers see the output.
    var writesCutFrames: Bool { get }
    /// How it handles small input without a pipeline; nil if all input needs one. (A cast to one of these protocols
    /// would take longer than a small file.)
    var shortcut: Shortcut? { get }
}

/// How an operation handles small input on the calling thread.
package enum Shortcut {
    case wholeFile(any WholeFileOperation)
    case momentary(any MomentaryOperation)
}

extension RunOperation {
    /// A frame that comes in segments holds one, the segment that is being read another, and the reader a third.
    package var leastSlots: Int { 3 }
    var decompresses: Bool { contentSide == .output }
    var readsContent: Bool { contentSide == .input }

    package func workers(of threads: Int) -> Int { threads }
    /// The bytes of each slot before and after the work, and as many for each worker.
    package func memory(of size: RunSize) -> Int { (size.slots + size.workers) * 2 * slotSize }
    package mutating func reduceMemory(by reduction: MemoryReduction) -> Bool { false }
    package func parityMemory(inputSize: UInt64?) -> Int? { nil }
    package mutating func allowParity(_ bytes: Int) {}
    package mutating func begin(from source: inout Source, to sink: Sink?) throws(Failure) -> (any Envelope)? { nil }
    package var writesCutFrames: Bool { false }
    package var shortcut: Shortcut? { nil }
}

/// An operation that decodes frames as a decompression does, with the same memory.
package protocol DecodingOperation: RunOperation {
    var decompression: Decompression { get set }
}

extension DecodingOperation {
    package var contentSide: Activity.Content { .output }
    package var slotSize: Int { decompression.slotSize }
    package func memory(of size: RunSize) -> Int { decompression.memory(of: size) }
    package mutating func reduceMemory(by reduction: MemoryReduction) -> Bool {
        decompression.reduceMemory(by: reduction)
    }
}

/// An operation that makes frames as a compression does, with the same memory.
package protocol CompressingOperation: RunOperation {
    var compression: Compression { get set }
}

extension CompressingOperation {
    package var contentSide: Activity.Content { .input }
    package var slotSize: Int { compression.slotSize }
    package var leastSlots: Int { compression.leastSlots }
    package func memory(of size: RunSize) -> Int { compression.memory(of: size) }
    package func parityMemory(inputSize: UInt64?) -> Int? { compression.parityMemory(inputSize: inputSize) }
    package mutating func reduceMemory(by reduction: MemoryReduction) -> Bool {
        compression.reduceMemory(by: reduction)
    }
}

/// An operation whose output can be resumed.
protocol ResumableOperation: RunOperation {
    /// Everything besides the input that determines the output, on one line; nil if it can't be resumed after all.
    var recipe: String? { get }
}

/// An operation that can do a small file as a whole in memory.
package protocol WholeFileOperation: RunOperation {
    /// The most bytes that a worker holds for a small file.
    var wholeFileMemory: Int { get }
    /// What transforms small files; nil if every file takes a run.
    func makeWholeFileTransform() throws(Failure) -> (any WholeFileTransform)?
}

/// An operation that may take only a moment, though its input may be large.
package protocol MomentaryOperation: RunOperation {
    /// Runs on the calling thread, with plain calls.
    ///
    /// - Parameter willWrite: receives how many bytes it will write.
    /// - Returns: nil, with nothing written, if the operation needs a pipeline.
    func runAtOnce(
        from source: Source, to sink: Sink?, willWrite: (Int) throws(Failure) -> Void
    ) throws(Failure) -> Summary?
}
