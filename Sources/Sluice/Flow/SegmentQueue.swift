/// The segments of one chunk on their way from the cutter to its worker. Each holds a slot until it was consumed.
final class SegmentQueue: Sendable {
    private let segments = WorkQueue<Result<Bytes, Failure>>()
    private let slots: Slots
    /// Has the worker's window, which was taken; nil if windows are not bounded.
    private let windows: Slots?
    /// Where within foreign data the chunk begins; nil at its beginning, and for frames.
    let place: ForeignPlace?
    /// How many segments of output may wait for their turn.
    let outputCount: Int
    /// The slots that the whole chunk holds until its output is written.
    let slotCount: Int
    /// Whether the chunk's own slots stand for all of its segments.
    private let isWhole: Bool

    init(_ slots: Slots, windows: Slots? = nil, place: ForeignPlace? = nil) {
        (self.slots, self.windows, self.place) = (slots, windows, place)
        (outputCount, slotCount, isWhole) = (Frame.segmentCount, 1, false)
    }

    /// A chunk that has come as a whole, and whose output leaves in segments, so that there is some before an error.
    ///
    /// - Parameters:
    ///   - bound: the most bytes of its output that wait for their turn.
    ///   - slotCount: how many slots it holds.
    init(whole bytes: Bytes, bound: Int, slots: Slots, slotCount: Int, place: ForeignPlace?) {
        (self.slots, self.slotCount, self.place) = (slots, slotCount, place)
        (windows, isWhole) = (nil, true)
        outputCount = max(Frame.segmentCount, bound / Frame.segmentSize + 1)
        segments.push(.success(bytes))
        segments.close()
    }

    /// Gives the worker's window back.
    func didEnd() { windows?.give() }

    /// Waits for a slot, and adds a segment.
    ///
    /// - Throws: `cancelled` if the run failed meanwhile.
    func push(_ segment: Bytes) throws(Failure) {
        guard slots.take() else { throw .cancelled }
        segments.push(.success(segment))
    }

    /// Adds segments until there are no more, and ends the chunk.
    ///
    /// - Throws: the failure of `next` or `push`, which also ends the chunk.
    func fill(_ next: () throws(Failure) -> Bytes?) throws(Failure) {
        do throws(Failure) {
            while let segment = try next() { try push(segment) }
            close()
        } catch {
            fail(error)
            throw error
        }
    }

    func close() { segments.close() }

    /// Ends the chunk with a failure after the segments that were pushed.
    func fail(_ failure: Failure) {
        segments.push(.failure(failure))
        segments.close()
    }

    /// Whether `next` would wait.
    var isEmpty: Bool { segments.isEmpty }

    /// Waits for the next segment, which `didConsume` follows; nil at the end.
    ///
    /// - Throws: the failure that ended the chunk.
    func next() throws(Failure) -> Bytes? { try segments.pop()?.get() }

    /// Gives the slot of the last segment back.
    func didConsume() { if !isWhole { slots.give() } }
}
