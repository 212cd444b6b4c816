/// The progress of workers within the frames that they make, which take seconds at high levels.
struct FrameProgress: Sendable {
    private let latch: FailureLatch
    private let monitor: Monitor?

    init(_ latch: FailureLatch, _ monitor: Monitor?) { (self.latch, self.monitor) = (latch, monitor) }

    /// Makes a frame that reports how much of its content is consumed.
    ///
    /// - Parameter make: gets what is to be called with each number of bytes; that returns false if the run has failed.
    ///   Returns nil if the frame was given up.
    /// - Throws: `cancelled` then; the failure of `make`.
    func frame<Result>(
        _ make: ((_ consumed: Int) -> Bool) throws(Failure) -> Result?
    ) throws(Failure) -> Result {
        var consumed = 0
        // From here on the worker counts all of it, as a chunk that is done.
        defer { monitor?.didConsume(-consumed) }
        let result = try make { more in
            consumed += more
            monitor?.didConsume(more)
            return latch.failure == nil
        }
        guard let result else { throw .cancelled }
        return result
    }
}
