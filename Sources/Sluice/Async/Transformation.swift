internal import Synchronization

/// An operation on data: ``Compression``, ``Decompression``, and every ``Action``.
///
///     let summary = try await Compression(level: 3).run(from: .file("dump.sql"), to: .file("dump.sql.zst"))
public protocol Transformation: Sendable {
    /// The operation of a run.
    var action: Action { get }
}

extension Transformation {
    /// Runs on threads of its own, while the caller is suspended, until everything is written.
    ///
    /// No thread of Swift's or of Dispatch's waits, so hundreds of runs may be started at once. Runs from files to
    /// files take turns: as many go on at once as there are processors. All others begin at once, because they may
    /// depend on each other.
    ///
    /// A cancelled run ends within half a second: there is no output file, nor one beside it, and nothing more is
    /// written to a descriptor. A worker in the middle of a frame ends that first, and its result is dropped.
    ///
    /// - Returns: a summary of the run.
    /// - Throws: the first failure; `cancelled`.
    @discardableResult
    public func run(
        from input: RunInput, to output: RunOutput, options: RunOptions = RunOptions()
    ) async throws(Failure) -> Summary {
        defer { options.end() }
        let latch = FailureLatch()
        guard input.isFile, output.isFile else { return try await begin(from: input, to: output, options, latch) }
        try await Turns.ofFiles.take()
        defer { Turns.ofFiles.give() }
        return try await begin(from: input, to: output, options, latch)
    }

    /// Runs at once, on a thread of its own.
    func begin(
        from input: RunInput, to output: RunOutput, _ options: RunOptions, _ latch: FailureLatch
    ) async throws(Failure) -> Summary {
        let publication = Publication()
        let job = options.job(action)
        return try await ThreadCompletion.onThread(latch: latch, mayLeave: publication.prevent) { () throws(Failure) in
            defer { job.monitor?.threadDidEnd() }
            return try input.withSource { source throws(Failure) in
                try output.withSink(job.monitor, mayPublish: publication.begin) { sink throws(Failure) in
                    try job.run(from: source, to: sink, latch: latch)
                }
            }
        }
    }
}

/// Decides whether an output gets its name, or its cancelled caller goes on without it.
private final class Publication: Sendable {
    private enum State { case open, begun, prevented }

    private let state = Mutex(State.open)

    /// - Throws: `cancelled` if it was prevented.
    func begin() throws(Failure) { if decide(.begun) == .prevented { throw .cancelled } }

    /// - Returns: false if it has begun.
    func prevent() -> Bool { decide(.prevented) == .prevented }

    private func decide(_ decision: State) -> State {
        state.withLock { state in
            if state == .open { state = decision }
            return state
        }
    }
}

extension Action: Transformation {
    /// Itself.
    public var action: Action { self }
}

extension Compression: Transformation {
    /// The operation of a run.
    public var action: Action { Action(operation: self) }
}

extension Decompression: Transformation {
    /// The operation of a run.
    public var action: Action { Action(operation: self) }
}
