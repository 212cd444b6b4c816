/// Hands a frame that is too large to be held on in parts, read from where it lies.
struct SegmentFeed {
    /// The frame that is handed on, and what of it was not read yet.
    private var current: (parts: SegmentQueue, rest: Range<UInt64>)?

    /// Begins with a frame, of which `run` reads the parts.
    mutating func begin(_ input: Range<UInt64>, slots: Slots) -> Chunk.Content {
        let parts = SegmentQueue(slots)
        current = (parts, input)
        return .segments(parts, offset: input.lowerBound)
    }

    /// Reads on in the frame, if there is one, to its end or until nothing more is needed.
    mutating func run(
        until isOver: () -> Bool = { false }, _ read: (Range<UInt64>) throws(Failure) -> Bytes
    ) throws(Failure) {
        while let (parts, rest) = current {
            if rest.isEmpty || isOver() {
                parts.close()
                current = nil
                return
            }
            let end = min(rest.upperBound, rest.lowerBound + UInt64(SegmentCutter.partSize))
            do throws(Failure) {
                try parts.push(try read(rest.lowerBound..<end))
                current = (parts, end..<rest.upperBound)
            } catch {
                parts.fail(error)
                current = nil
                throw error
            }
        }
    }

    mutating func cancel() {
        current?.parts.fail(.cancelled)
        current = nil
    }
}
