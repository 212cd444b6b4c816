package import ByteStreams

/// What a worker does to chunks: compress, decompress or copy. Each worker has one, with its context and buffers.
package protocol Transform: ~Copyable {
    /// Transforms a whole chunk.
    ///
    /// - Parameter buffer: joins the regions of the chunk's bytes into one.
    mutating func apply(_ chunk: consuming Chunk, with buffer: inout GatherBuffer) throws(Failure) -> ChunkResult

    /// Transforms the next segment of a frame that is too large, or arrives too slowly, to be held. A transform that
    /// only gets whole chunks does not implement this.
    mutating func apply(_ segment: Segment, to output: inout SegmentOutput) throws(Failure)

    /// Whether a chunk may end after the segments so far; only asked of chunks whose ends are claimed (`ChunkChain`).
    var mayEnd: Bool { get }
}

extension Transform where Self: ~Copyable {
    package var mayEnd: Bool { true }

    package mutating func apply(_ segment: Segment, to output: inout SegmentOutput) throws(Failure) {
        preconditionFailure("its chunks are whole")
    }
}

/// A segment of a frame, as its transform receives it.
package enum Segment {
    /// The frame begins at this offset of the input.
    case start(offset: UInt64, context: (any ChunkContext)?)
    /// The bytes are valid until `apply` returns.
    case bytes(UnsafeRawBufferPointer)
    /// No more bytes are available now: output of those so far should not wait for them.
    case pause
    /// No more bytes follow.
    case end
}
