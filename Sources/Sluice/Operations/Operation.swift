/// One thing that a run can do with its data: a type each, in a file of its own, that gives what differs from the
/// others.
///
/// What all of them have in common is in `Job`, and what they run on is an `Engine`.
protocol Operation: Sendable {
    /// Whether what comes out is the content, and what goes in is made from it.
    var decompresses: Bool { get }
    /// On which side of it bytes are decompressed ones.
    var contentSide: Statistics.Activity.Content { get }
    /// Whether the output may go past the page cache: what was made is seldom what is read next.
    var mayBypassCache: Bool { get }
    /// Bytes that a slot of a buffer stands for.
    var slotSize: Int { get }

    /// Decompressed bytes of each frame that it makes; nil if it does not cut frames.
    var frameSize: Int? { get }
    /// Slots without which it would wait for ever, or each stage for the other.
    var leastSlots: Int { get }
    /// Whether what goes in is the content.
    var readsContent: Bool { get }

    /// All that the output depends on besides the input, on one line; nil where an output can't be gone on with.
    var recipe: String? { get }
    /// Threads that work on chunks, of those that there are.
    func workers(of threads: Int) -> Int
    /// The most bytes that a run may come to hold, beside those of the process: known before it begins.
    func memory(of size: RunSize) -> Int
    /// Takes less memory from now on.
    ///
    /// - Returns: whether it could, in this way.
    mutating func save(_ saving: Saving) -> Bool
    /// What of a source it reads, as a source of its own.
    func content(of source: Source) throws(Failure) -> Source
    /// What surrounds the frames of the output; nil for nothing.
    func envelope(from source: Source, to sink: Sink?) throws(Failure) -> (any Envelope)?
    /// Cuts the input into chunks, and says what a worker does to each.
    ///
    /// - Returns: what slots and workers could hold at most, in bytes.
    func run(on engine: Engine) throws(Failure) -> Int
    /// The most bytes that a worker holds for small files as wholes; nil if every file takes a run.
    var wholeFileMemory: Int? { get }
    /// What does a small file as a whole; nil if every file takes a run.
    func makeWholeFileTransform() throws(Failure) -> (any WholeFileTransform)?
}

extension Operation {
    var contentSide: Statistics.Activity.Content { decompresses ? .output : .input }
    var frameSize: Int? { nil }
    /// While a frame comes in parts it holds one, the part that is read another, and the reader a third.
    var leastSlots: Int { 3 }
    var readsContent: Bool { false }
    var recipe: String? { nil }

    func workers(of threads: Int) -> Int { threads }
    /// What a slot stands for, before and after, and so much for each worker.
    func memory(of size: RunSize) -> Int { (size.slots + size.workers) * 2 * slotSize }
    mutating func save(_ saving: Saving) -> Bool { false }
    func content(of source: Source) throws(Failure) -> Source { source }
    func envelope(from source: Source, to sink: Sink?) throws(Failure) -> (any Envelope)? { nil }
    var wholeFileMemory: Int? { nil }
    func makeWholeFileTransform() throws(Failure) -> (any WholeFileTransform)? { nil }
}
