/// Says where a chunk of content ends, if not at its largest size.
protocol ChunkCut: Sendable {
    /// Bytes of the chunk that need not be examined any more.
    var position: Int { get }
    /// Bytes to ask a reader for at once.
    var step: Int { get }
    /// Bytes of a file that are examined at a time.
    var window: Int { get }
    /// Whether a chunk may be a hole that was not examined.
    var passesHoles: Bool { get }
    /// Begins the next chunk.
    ///
    /// - Parameter offset: bytes of the content before it.
    mutating func begin(at offset: UInt64)
    /// Takes the bytes at `position`.
    ///
    /// - Returns: the size of the chunk, if its end was found.
    mutating func take(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Int?
    /// Where a chunk ends of which `count` bytes are there, all examined, and no more belong to it.
    mutating func end(of count: Int) throws(Failure) -> Int
    /// - Throws: why the content must not end here.
    mutating func finish() throws(Failure)
}

extension ChunkCut {
    mutating func end(of count: Int) -> Int { count }
    mutating func finish() throws(Failure) {}
}
