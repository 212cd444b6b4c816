extension FrameIndex {
    /// - Throws: `codec` if frames don't have as much content as the index says, in bytes.
    func check(_ count: UInt64, expected: UInt64, at offset: UInt64) throws(Failure) {
        guard count != expected else { return }
        throw .codec(contradicted(by: "the frame holds \(count) bytes, not \(expected)", at: offset))
    }

    /// A failure of frames, which blames neither frame nor seek table if only the table has the checksum that is wrong.
    ///
    /// - Parameters:
    ///   - count: bytes of the frames. Frames that were given the table's checksums are longer than it says.
    ///   - bound: bytes of their content.
    func explain(_ failure: Failure, of count: Int, bound: Int, at offset: UInt64) -> Failure {
        guard let first = position(ofInput: offset), let place = failure.codecFailure?.offsetOfWrongChecksum else {
            return failure
        }
        let end = self[first].content.lowerBound + UInt64(bound)
        let last = position(of: end - min(end, 1)) ?? first
        guard UInt64(count) > self[last].input.upperBound - offset else { return failure }
        let reason = "its content does not match the seek table's checksum, and the frame has none"
        return .codec(.corrupt(reason: reason, offset: place))
    }
}
