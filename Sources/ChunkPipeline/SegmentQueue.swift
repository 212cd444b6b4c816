package import ByteStreams

/// The segments of one chunk on their way from the cutter to its worker. Each holds a slot until it was consumed.
package final class SegmentQueue: Sendable {
    private let segments = WorkQueue<Result<Bytes, Failure>>()
    private let slots: Slots
    /// Has the worker's window, which was taken; nil if windows are not bounded.
    private let windows: Slots?

    package init(_ slots: Slots, windows: Slots? = nil) { (self.slots, self.windows) = (slots, windows) }

    /// Gives the worker's window back.
    package func didEnd() { windows?.give() }

    /// Waits for a slot, and adds a segment.
    ///
    /// - Throws: `cancelled` if the run failed meanwhile.
    package func push(_ segment: Bytes) throws(Failure) {
        guard slots.take() else { throw .cancelled }
        segments.push(.success(segment))
    }

    /// Adds segments until there are no more, and ends the chunk.
    ///
    /// - Throws: the failure of `next` or `push`, which also ends the chunk.
    package func fill(_ next: () throws(Failure) -> Bytes?) throws(Failure) {
        do throws(Failure) {
            while let segment = try next() { try push(segment) }
            close()
        } catch {
            fail(error)
            throw error
        }
    }

    package func close() { segments.close() }

    /// Ends the chunk with a failure after the segments that were pushed.
    package func fail(_ failure: Failure) {
        segments.push(.failure(failure))
        segments.close()
    }

    /// Whether `next` would wait.
    package var isEmpty: Bool { segments.isEmpty }

    /// Waits for the next segment, which `didConsume` follows; nil at the end.
    ///
    /// - Throws: the failure that ended the chunk.
    package func next() throws(Failure) -> Bytes? { try segments.pop()?.get() }

    /// Gives the slot of the last segment back.
    package func didConsume() { slots.give() }
}
