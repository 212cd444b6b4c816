/// A piece of the input, with its place in the order of the output.
struct Chunk: Sendable {
    enum Content: Sendable {
        /// All the bytes of the chunk.
        /// - `bound`: what they become at most, in bytes.
        /// - `offset`: where they begin in the input.
        /// - `slots`: how many the chunk holds.
        case whole(ChunkBytes, bound: Int, offset: UInt64, slots: Int)
        /// The bytes come part by part: one frame that is too large, or comes too slowly, to be held as a whole.
        case segments(SegmentQueue, offset: UInt64)
    }

    let index: Int
    let content: Content
}
