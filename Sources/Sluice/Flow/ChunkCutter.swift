/// Cuts the input into chunks: the only part that knows what lies between them.
protocol ChunkCutter {
    /// Waits for the next chunk; nil at the end of the input.
    mutating func next() throws(Failure) -> Chunk.Content?
    /// Ends a chunk that is still being fed, when the run fails.
    mutating func cancel()
}
