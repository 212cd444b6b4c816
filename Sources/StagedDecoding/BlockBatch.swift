internal import CStages
package import ZstdCodec

/// A few consecutive blocks of a frame, decoded in the two stages of `CStages`: any thread can read their sequences,
/// which are then executed in the order of the frame.
///
/// Blocks that it refuses may be valid: libzstd has the last word.
package struct BlockBatch: ~Copyable, Sendable {
    private enum State { case filling, full, decoded, refused }

    /// The most bytes that the blocks decompress to.
    package static let contentSize = Int(STAGES_BATCH_SIZE)
    /// Bytes after the content that may be overwritten.
    package static let slack = Int(STAGES_SLACK)
    /// Bytes of a batch.
    package static let memory = MemoryLayout<stages_batch>.size

    // An address, since pointers are not Sendable.
    private let address: UInt
    private var state = State.filling

    /// - Throws: `outOfMemory`.
    package init() throws(CodecFailure) {
        guard let batch = stages_make_batch() else { throw .outOfMemory }
        address = UInt(bitPattern: batch)
    }

    deinit { stages_free_batch(batch) }

    /// Whether a block's header, or what it relies on, was refused.
    package var isRefused: Bool { batch?.pointee.is_refused == true }
    /// Whether the first stage has read or refused the blocks.
    package var isDecoded: Bool { state == .decoded || state == .refused }
    /// Whether it contains the last block of the frame.
    package var hasLast: Bool { batch?.pointee.has_last == true }
    /// Whether none of its blocks has content.
    package var isEmpty: Bool { batch?.pointee.count == 0 }

    /// Empties the batch for the blocks after those that were found, whose batch must still exist.
    package mutating func begin(_ blocks: inout BlockHistory) {
        stages_begin_batch(batch, &blocks.finder)
        state = .filling
    }

    /// Takes bytes of the frame.
    ///
    /// - Parameter segment: on return, the bytes that were not taken.
    /// - Returns: whether the batch is ready to be decoded: full, or with a block that was refused.
    package mutating func fill(_ segment: inout UnsafeRawBufferPointer, _ blocks: inout BlockHistory) -> Bool {
        let bytes = segment.bindMemory(to: UInt8.self)
        let taken = stages_fill_batch(batch, &blocks.finder, bytes.baseAddress, bytes.count)
        segment = UnsafeRawBufferPointer(rebasing: segment.dropFirst(taken))
        if let batch, stages_is_full(batch) { state = batch.pointee.is_refused ? .refused : .full }
        return state != .filling
    }

    /// States that no more bytes come, so that the batch is decoded although it is not full.
    package mutating func finish() { if state == .filling { state = .full } }

    /// Ends the batch after its last whole block, and begins another with what has come after that.
    package mutating func finish(before next: inout BlockBatch, _ blocks: inout BlockHistory) {
        finish()
        next.begin(&blocks)
        stages_pass_on(batch, next.batch)
    }

    /// The first stage: reads the blocks, if all are there and no other thread has read them.
    ///
    /// A late thread may find the batch filled with later blocks, some of them still missing.
    package mutating func decode(with tables: borrowing BlockTables) {
        guard state == .full else { return }
        state = stages_decode_batch(batch, tables.tables) ? .decoded : .refused
    }

    /// The second stage: executes the blocks, which follow those before them.
    ///
    /// - Parameter output: room for `contentSize` and `slack` bytes, with the window in front of it.
    /// - Returns: how many bytes of content were written; nil if a block is refused.
    package func execute(_ blocks: inout BlockHistory, into output: UnsafeMutableRawBufferPointer) -> Int? {
        precondition(output.count >= Self.contentSize, "there is no room for the blocks")
        guard state == .decoded else { return nil }
        let start = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let before = blocks.history
        let count = stages_execute_batch(batch, &blocks.history, start)
        if count >= 0 { return Int(count) }
        let reachesOut = blocks.history.reaches_out
        blocks.history = before
        blocks.history.reaches_out = reachesOut
        return nil
    }

    /// The bytes of the frame that it took, except blocks without content.
    package var input: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: stages_input(batch), count: Int(batch?.pointee.filled ?? 0))
    }

    /// Blocks that tell a decoder what its own blocks rely on, besides the window (`stages_restore`).
    ///
    /// - Parameter blocks: the state after all blocks before.
    /// - Returns: nil if there is not enough memory.
    package func restoringBlocks(_ blocks: BlockHistory) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(STAGES_RESTORING_SIZE)) { room, count in
            count = withUnsafePointer(to: blocks.history) { stages_restore(batch, $0, room.baseAddress) }
        }
        return bytes.isEmpty ? nil : bytes
    }

    private var batch: UnsafeMutablePointer<stages_batch>? { UnsafeMutablePointer(bitPattern: address) }
}

/// The state that the blocks of a frame take over from those before them.
package struct BlockHistory {
    var finder = stages_finder()
    var history = stages_history()

    /// - Parameter header: that of a frame that needs no dictionary.
    package init(_ header: FrameHeader) {
        finder.block_size = UInt32(header.blockLimit)
        history.window = header.windowSize
        // RFC 8878, 3.1.1.5: the offsets at the start of a frame.
        history.repeats = (1, 4, 8)
    }

    /// Bytes of the frame's content so far.
    package var produced: UInt64 { history.produced }
    /// Whether blocks were refused because a match reaches beyond the start of the content.
    package var reachesOut: Bool { history.reaches_out }
}

/// The tables of one thread that reads blocks of one frame (`stages_tables`).
package struct BlockTables: ~Copyable {
    let tables: OpaquePointer

    /// - Throws: `outOfMemory`.
    package init() throws(CodecFailure) {
        guard let tables = stages_make_tables() else { throw .outOfMemory }
        self.tables = tables
    }

    deinit { stages_free_tables(tables) }
}
