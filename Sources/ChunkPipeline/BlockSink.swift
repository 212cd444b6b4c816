package import ByteStreams

/// Copies the output into aligned blocks of one size, which can bypass the page cache.
///
/// The memory of a frame is free once it is copied. A block is filled while the one before it is written, so that the
/// disk is never idle.
package final class BlockSink: SurroundingSink {
    /// The most blocks at once: one is written, one waits, one is filled.
    private static let mostBlocks = 3
    /// The most memory of all blocks, in bytes.
    package static let memory = mostBlocks * Sink.blockSize

    package let inner: any ContentSink
    // Pooled, because the allocator would carve the blocks out of the memory that large chunks leave.
    private let pool = BufferPool(capacity: Sink.blockSize, alignment: Sink.blockAlignment)
    private let blocks = Slots(mostBlocks)
    /// The block that is being filled, and how many bytes it holds.
    private var block: OutputBuffer?
    private var filled = 0
    private var lease: Lease?
    /// The sizes of frames copied since the last block was handed on.
    private var sizes = Delivery()

    package init(_ inner: any ContentSink) { self.inner = inner }

    package func write(_ piece: consuming Piece) throws(Failure) {
        var piece = piece
        while !piece.bytes.isEmpty {
            if block == nil { try beginBlock() }
            let bytes = piece.bytes.removeFirst(Sink.blockSize - filled)
            if let memory = block?.memory { bytes.copy(to: memory.extracting(filled...)) }
            filled += bytes.count
            if piece.bytes.isEmpty { sizes += piece.sizes }
            if filled == Sink.blockSize { try writeBlock() }
        }
        // While no block is being written, progress can't be seen from writes, so report what is copied as delivered.
        if sizes != Delivery(), blocks.inUse <= 1 { try inner.write(Piece(Bytes(), sizes: takeSizes())) }
    }

    package func flush() throws(Failure) {
        try writeBlock()
        try inner.flush()
    }

    /// Waits for the memory of a block. A failed write ends that: what is not written is dropped.
    private func beginBlock() throws(Failure) {
        guard blocks.take() else { throw .cancelled }
        lease = Lease { [blocks] in blocks.give() }
        block = try OutputBuffer(from: pool)
        filled = 0
    }

    private func writeBlock() throws(Failure) {
        guard let block = block.take() else { return }
        try inner.write(Piece(block.finish(count: filled), sizes: takeSizes(), lease: lease.take()))
    }

    private func takeSizes() -> Delivery {
        defer { sizes = Delivery() }
        return sizes
    }
}
