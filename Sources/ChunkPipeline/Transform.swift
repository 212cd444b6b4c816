package import ByteStreams

/// What a worker does to chunks: compress, decompress or copy. Each worker owns one, with its context and buffers.
package protocol Transform: ~Copyable {
    /// Transforms a whole chunk.
    ///
    /// - Parameter buffer: makes one region of the chunk's bytes.
    mutating func apply(_ chunk: consuming Chunk, with buffer: inout GatherBuffer) throws(Failure) -> Frame

    /// Transforms the next segment of a frame that is too large, or comes too slowly, to be held. A transform that
    /// only gets whole chunks does not have this.
    mutating func apply(_ segment: Segment, to output: inout SegmentOutput) throws(Failure)
}

extension Transform where Self: ~Copyable {
    package mutating func apply(_ segment: Segment, to output: inout SegmentOutput) throws(Failure) {
        preconditionFailure("its chunks are whole")
    }
}

/// A segment of a frame, as its transform gets it.
package enum Segment {
    /// The frame begins at this offset of the input. The place is that of its chunk.
    case start(offset: UInt64, place: (any ChunkPlace)?)
    case bytes(UnsafeRawBufferPointer)
    /// No more bytes come for now: what can be made of those so far should not wait for others.
    case pause
    /// No bytes follow.
    case end
}
