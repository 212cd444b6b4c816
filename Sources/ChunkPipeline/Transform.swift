package import ByteStreams

/// What a worker does to chunks: compress, decompress or copy. Each worker owns one, with its context and buffers.
package protocol Transform: ~Copyable {
    /// Transforms a whole chunk.
    ///
    /// - Parameter buffer: makes one region of the chunk's bytes.
    mutating func apply(_ chunk: consuming Chunk, with buffer: inout GatherBuffer) throws(Failure) -> Frame

    /// Begins a frame that comes in segments. A transform that gets whole chunks only has neither this nor `step`.
    ///
    /// - Parameters:
    ///   - offset: where it begins in the input, for errors.
    ///   - place: that of the chunk.
    mutating func begin(at offset: UInt64, _ place: (any ChunkPlace)?) throws(Failure)

    /// Memory for the output of the next step.
    func makeOutput() throws(Failure) -> OutputBuffer

    /// Transforms bytes of the frame.
    ///
    /// - Parameters:
    ///   - segment: on return, the bytes that are not taken yet.
    ///   - isLast: whether no bytes follow.
    /// - Returns: the bytes written to `output`, and whether all possible output was written.
    mutating func step(
        _ segment: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool
    ) throws(Failure) -> (written: Int, isDone: Bool)

    /// States that no more of the frame comes for now. What can be made of the bytes so far should not wait for others.
    ///
    /// - Returns: whether a step without bytes may have output.
    mutating func pause() -> Bool

    /// Releases the output of the last step, if there is any.
    ///
    /// - Parameters:
    ///   - output: no longer changes.
    ///   - leave: runs after earlier ones, at once or on another thread.
    mutating func handOn(_ output: Bytes, leave: @escaping @Sendable () -> Void)

    /// Waits until everything that was handed on has left.
    func settle()
}

extension Transform where Self: ~Copyable {
    package mutating func begin(at offset: UInt64, _ place: (any ChunkPlace)?) throws(Failure) {
        preconditionFailure("its chunks are whole")
    }

    package mutating func step(
        _ segment: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        preconditionFailure("its chunks are whole")
    }

    package func makeOutput() throws(Failure) -> OutputBuffer { try OutputBuffer(capacity: Frame.segmentSize) }

    package mutating func pause() -> Bool { false }

    package mutating func handOn(_ output: Bytes, leave: @escaping @Sendable () -> Void) { leave() }

    package func settle() {}
}
