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
        _ load: consuming Load, bound: Int, offset: UInt64, slots: Slots
    ) throws(Failure) -> Frame

    /// Begins a frame whose bytes come in parts.
    mutating func begin() throws(Failure)

    /// Transforms a part of it.
    ///
    /// - Parameter part: on return, what was not taken yet.
    /// - Returns: the bytes written to `output`, and whether everything that can be written now was.
    mutating func step(
        _ part: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool, offset: UInt64
    ) throws(Failure) -> (written: Int, isDone: Bool)

    /// Says that what the last step wrote, if it wrote anything, leaves in memory that nobody changes any more.
    mutating func handOn(_ piece: Bytes)
}

extension Transform where Self: ~Copyable {
    mutating func handOn(_ piece: Bytes) {}
}
