internal import ByteStreams

/// The parts of one chunk, on their way from the cutter to its worker. Each holds a slot from when it is pushed until
/// it was consumed.
final class SegmentQueue: Sendable {
    private let parts = WorkQueue<Result<Bytes, Failure>>()
    private let slots: Slots
    /// For the window that the worker takes; nil if it is not bounded.
    private let windows: Slots?

    init(_ slots: Slots, windows: Slots? = nil) {
        self.slots = slots
        self.windows = windows
    }

    /// Waits for the window, before the worker hears of the chunk: windows are taken in the order of the output.
    ///
    /// - Throws: `cancelled` if the run failed meanwhile.
    func begin() throws(Failure) {
        if let windows, !windows.take() { throw .cancelled }
    }

    /// The worker holds the window no longer.
    func didEnd() { windows?.give() }

    /// Waits for a slot, and adds a part.
    ///
    /// - Throws: `cancelled` if the run failed meanwhile.
    func push(_ part: Bytes) throws(Failure) {
        guard slots.take() else { throw .cancelled }
        parts.push(.success(part))
    }

    /// No part comes any more.
    func close() { parts.close() }

    /// The chunk ends without success, behind the parts that were pushed.
    func fail(_ failure: Failure) {
        parts.push(.failure(failure))
        parts.close()
    }

    /// Waits for the next part, which `didConsume` follows; nil at the end.
    ///
    /// - Throws: what `fail` was told.
    func next() throws(Failure) -> Bytes? { try parts.pop()?.get() }

    /// Gives the slot of the last part back.
    func didConsume() { slots.give() }
}
