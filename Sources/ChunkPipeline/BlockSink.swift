package import ByteStreams
internal import DequeModule
internal import Synchronization

/// Copies the output into aligned blocks of one size, which can bypass the page cache.
///
/// The memory of a frame is free once it is copied. One block is written while another one waits and a third is filled,
/// so that the disk is never idle. Frames that don't fit keep their memory, and their slots.
package final class BlockSink: SurroundingSink {
    private struct State: ~Copyable {
        /// The block that is being filled, and how many bytes it holds.
        var block: OutputBuffer?
        var filled = 0
        /// Frames that are not completely copied yet.
        var waiting: Deque<ChunkResult> = []
        /// The number of blocks that are being written, or whose memory is not free yet.
        var underWay = 0
        /// The sizes of frames copied since the last block was handed on.
        var sizes = Delivery()
    }

    /// The most blocks in progress at once.
    private static let mostBlocks = 2
    /// The most memory of all blocks, in bytes.
    package static let memory = (mostBlocks + 1) * Sink.blockSize

    package let inner: any ContentSink
    // Pooled, because the allocator would carve the blocks out of the memory that large chunks leave.
    private let pool = BufferPool(capacity: Sink.blockSize, alignment: Sink.blockAlignment)
    private let state = Mutex(State())
    /// How many blocks have become free since the last `advance`.
    private let free = Atomic(0)
    private let advanceLater: @Sendable () -> Void

    /// - Parameter advanceLater: causes a call of `advance` from another thread.
    package init(_ inner: any ContentSink, advanceLater: @escaping @Sendable () -> Void) {
        (self.inner, self.advanceLater) = (inner, advanceLater)
    }

    package func write(_ frame: consuming ChunkResult) throws(Failure) {
        let frame = frame
        state.withLock { $0.waiting.append(frame) }
        try advance()
    }

    package func advance() throws(Failure) {
        let freed = free.exchange(0, ordering: .acquiringAndReleasing)
        try state.withLock { state throws(Failure) in
            state.underWay -= freed
            while true {
                try fill(&state)
                guard state.filled == Sink.blockSize, state.underWay < Self.mostBlocks else { break }
                try writeBlock(&state)
            }
            // While no block is being written, progress can't be seen from writes, so report what is copied as
            // delivered.
            if state.underWay == 0, state.sizes != Delivery() {
                try inner.write(ChunkResult(Bytes(), sizes: Self.take(&state.sizes)))
            }
        }
        try inner.advance()
    }

    package func flush() throws(Failure) {
        try state.withLock { state throws(Failure) in try writeBlock(&state) }
        try inner.flush()
    }

    private func writeBlock(_ state: inout State) throws(Failure) {
        guard let block = state.block.take() else { return }
        var frame = ChunkResult(block.finish(count: state.filled), sizes: Self.take(&state.sizes))
        frame.lease = Lease { [weak self] in
            self?.free.add(1, ordering: .acquiringAndReleasing)
            self?.advanceLater()
        }
        state.filled = 0
        state.underWay += 1
        try inner.write(frame)
    }

    /// Copies as much as fits into the block.
    ///
    /// - Throws: `outOfMemory`; the bytes not copied yet are dropped.
    private func fill(_ state: inout State) throws(Failure) {
        while state.filled < Sink.blockSize, !state.waiting.isEmpty {
            if state.block == nil {
                do throws(Failure) { state.block = try OutputBuffer(from: pool) } catch {
                    state.waiting = []
                    throw error
                }
            }
            let bytes = state.waiting[0].bytes.removeFirst(Sink.blockSize - state.filled)
            if let memory = state.block?.memory { bytes.copy(to: memory.extracting(state.filled...)) }
            state.filled += bytes.count
            guard state.waiting[0].bytes.isEmpty else { continue }
            let frame = state.waiting.removeFirst()
            state.sizes += Delivery(source: frame.sourceSize, made: frame.madeSize)
        }
    }

    private static func take(_ sizes: inout Delivery) -> Delivery {
        defer { sizes = Delivery() }
        return sizes
    }
}

extension ChunkResult {
    /// A frame with the bytes of several frames and the sum of their sizes.
    fileprivate init(_ bytes: Bytes, sizes: Delivery) {
        self.init(bytes: bytes, sourceSize: Int(clamping: sizes.sourceBytes))
        madeSize = Int(clamping: sizes.madeBytes)
    }
}
