internal import Synchronization

/// What can be done with data: ``Compression``, ``Decompression``, and every ``Action``.
///
///     let summary = try await Compression(level: 3).run(from: .file("dump.sql"), to: .file("dump.sql.zst"))
public protocol Transformation: Sendable {
    /// What a run does.
    var action: Action { get }
}

extension Transformation {
    /// Runs on threads of its own, while the caller is suspended, until everything is written.
    ///
    /// No thread of Swift's or of Dispatch's is kept waiting. Runs from files to files take turns: as many go on at
    /// once as there are processors. All others begin at once, for they may depend on each other. So a hundred may be
    /// called at once.
    ///
    /// When the Task is cancelled the run ends within half a second: no file has got the name of the output, and none
    /// is left beside. To a descriptor nothing more is written then. A worker in the middle of a frame ends it first,
    /// for nobody.
    ///
    /// - Returns: what it did.
    /// - Throws: the first failure; `cancelled`.
    @discardableResult
    public func run(
        from input: RunInput, to output: RunOutput, options: RunOptions = RunOptions()
    ) async throws(Failure) -> Summary {
        defer { options.end() }
        let latch = FailureLatch()
        guard input.isFile, output.isFile else { return try await begin(from: input, to: output, options, latch) }
        let turns = FileTurns.shared
        try await turns.take()
        defer { turns.give() }
        return try await begin(from: input, to: output, options, latch)
    }

    /// Runs on a thread of its own.
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

/// The turns of the runs from files to files.
private enum FileTurns {
    static let shared = Turns(availableProcessors())
}

/// Whether an output gets its name: either that has begun, or whoever was to wait for it has gone.
private final class Publication: Sendable {
    private enum State { case open, begun, prevented }

    private let state = Mutex(State.open)

    /// - Throws: `cancelled` if nobody waits any more.
    func begin() throws(Failure) {
        let state = state.withLock { state in
            if state == .open { state = .begun }
            return state
        }
        if state == .prevented { throw .cancelled }
    }

    /// - Returns: whether it will never begin.
    func prevent() -> Bool {
        state.withLock { state in
            if state == .open { state = .prevented }
            return state == .prevented
        }
    }
}

extension Action: Transformation {
    /// Itself.
    public var action: Action { self }
}

extension Compression: Transformation {
    /// What a run does.
    public var action: Action { Action(operation: self) }
}

extension Decompression: Transformation {
    /// What a run does.
    public var action: Action { Action(operation: self) }
}
