internal import ByteStreams

/// What a worker does to chunks: compress, decompress or copy. Each worker owns one, with its context and buffers.
protocol Transform: ~Copyable {
    /// Bytes that it holds between chunks: its context and the buffer in which it gathers.
    var memory: Int { get }

    /// Transforms a whole chunk.
    ///
    /// - Parameters:
    ///   - bound: what it becomes at most, in bytes.
    ///   - offset: where it begins in the input, for errors.
    ///   - slots: where the chunk's slot goes when the frame is written and its memory free.
    mutating func apply(
        _ load: consuming ChunkMemory, bound: Int, offset: UInt64, slots: Slots
    ) throws(Failure) -> Frame

    /// Begins a frame whose bytes come in parts.
    mutating func begin() throws(Failure)

    /// Memory for the next step, of which as much is filled as the step says.
    func makeOutput() throws(Failure) -> OutputBuffer

    /// Transforms a part of it.
    ///
    /// - Parameter part: on return, what was not taken yet.
    /// - Returns: the bytes written to `output`, and whether everything that can be written now was.
    mutating func step(
        _ part: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool, offset: UInt64
    ) throws(Failure) -> (written: Int, isDone: Bool)

    /// Lets leave what the last step wrote, if it wrote anything.
    ///
    /// - Parameters:
    ///   - piece: what it wrote, which nobody changes any more.
    ///   - leave: runs behind those that were handed on before, at once or on another thread.
    mutating func handOn(_ piece: Bytes, leave: @escaping @Sendable () -> Void)

    /// Waits until everything that was handed on has left.
    func settle()
}

extension Transform where Self: ~Copyable {
    func makeOutput() throws(Failure) -> OutputBuffer { try OutputBuffer(capacity: Frame.segmentSize) }

    mutating func handOn(_ piece: Bytes, leave: @escaping @Sendable () -> Void) { leave() }

    func settle() {}
}
