/// A run of the input, with its place in the order of the output.
struct Chunk: Sendable {
    enum Content: Sendable {
        /// A chunk that is held as a whole.
        /// - `bound`: the most bytes of its result.
        /// - `offset`: where it begins in the input.
        /// - `slots`: how many it holds.
        case whole(ChunkBytes, bound: Int, offset: UInt64, slots: Int)
        /// One frame that is too large, or arrives too slowly, to be held as a whole.
        case segments(SegmentQueue, offset: UInt64)
    }

    let index: Int
    let content: Content
}

/// Cuts the input into chunks.
protocol ChunkCutter {
    /// Waits for the next chunk; nil at the end of the input.
    mutating func next() throws(Failure) -> Chunk.Content?
    /// Ends a chunk whose segments are still being read, when the run fails.
    mutating func cancel()
}
