/// One thing that a run can do with its data: a type each, in a file of its own, that gives what differs from the
/// others.
///
/// What all of them have in common is in `Job`, and what they run on is an `Engine`.
protocol Operation: Sendable {
    /// Whether what comes out is the content, and what goes in is made from it.
    var decompresses: Bool { get }
    /// Whether the output may go past the page cache: what was made is seldom what is read next.
    var mayBypassCache: Bool { get }
    /// Bytes that a slot of a buffer stands for.
    var slotSize: Int { get }

    /// Threads that work on chunks, of those that there are.
    func workers(of threads: Int) -> Int
    /// What surrounds the frames of the output; nil for nothing.
    func envelope(from source: Source, to sink: Sink?) -> Envelope?
    /// Cuts the input into chunks, and says what a worker does to each.
    ///
    /// - Returns: what slots and workers could hold at most, in bytes.
    func run(on engine: Engine) throws(Failure) -> Int
    /// What does a small file as a whole; nil if every file takes a run.
    func makeWholeFileTransform() throws(Failure) -> (any WholeFileTransform)?
}

extension Operation {
    func workers(of threads: Int) -> Int { threads }
    func envelope(from source: Source, to sink: Sink?) -> Envelope? { nil }
    func makeWholeFileTransform() throws(Failure) -> (any WholeFileTransform)? { nil }
}
