internal import CStages
package import ZstdCodec

/// A few consecutive blocks of a frame, decoded in the two stages of `CStages`: any thread can read their sequences,
/// which are then executed in the order of the frame.
///
/// A block that is rejected here may be valid; the caller then falls back to libzstd.
package struct BlockBatch: ~Copyable, Sendable {
    private enum State { case filling, full, decoded, refused }

    /// The most bytes that the blocks decompress to.
    package static let contentSize = Int(STAGES_BATCH_SIZE)
    /// How many bytes after the content may be overwritten.
    package static let slack = Int(STAGES_SLACK)
    /// The memory of a batch in bytes.
    package static let memory = MemoryLayout<stages_batch>.size

    /// Owned by this value, which threads take turns with.
    nonisolated(unsafe) private let batch: UnsafeMutablePointer<stages_batch>
    private var state = State.filling

    /// - Throws: `outOfMemory`.
    package init() throws(CodecFailure) {
        guard let batch = stages_make_batch() else { throw .outOfMemory }
        self.batch = batch
    }

    deinit { stages_free_batch(batch) }

    /// Whether a block's header, or something it depends on, was rejected.
    package var isRefused: Bool { batch.pointee.is_refused }
    /// Whether the first stage has read or rejected the blocks.
    package var isDecoded: Bool { state == .decoded || state == .refused }
    /// Whether it contains the last block of the frame.
    package var hasLast: Bool { batch.pointee.has_last }
    /// Whether none of its blocks has content.
    package var isEmpty: Bool { batch.pointee.count == 0 }

    /// Empties the batch for the next blocks. The batch of the preceding blocks must still exist.
    package mutating func begin(_ blocks: inout BlockHistory) {
        stages_begin_batch(batch, &blocks.finder)
        state = .filling
    }

    /// Takes bytes of the frame.
    ///
    /// - Parameter segment: on return, the bytes not taken.
    /// - Returns: whether the batch is ready to be decoded: full, or with a block that was rejected.
    package mutating func fill(_ segment: inout RawSpan, _ blocks: inout BlockHistory) -> Bool {
        let taken = segment.withUnsafeBytes { segment in
            let start = segment.assumingMemoryBound(to: UInt8.self).baseAddress
            return stages_fill_batch(batch, &blocks.finder, start, segment.count)
        }
        segment = segment.extracting(droppingFirst: taken)
        if stages_is_full(batch) { state = batch.pointee.is_refused ? .refused : .full }
        return state != .filling
    }

    /// Ends the batch although it is not full, because no more bytes come.
    package mutating func finish() { if state == .filling { state = .full } }

    /// Ends the batch after its last complete block, and moves the bytes after that to the next batch.
    package mutating func finish(before next: inout BlockBatch, _ blocks: inout BlockHistory) {
        finish()
        next.begin(&blocks)
        stages_pass_on(batch, next.batch)
    }

    /// The first stage: reads the blocks, if all are available and no other thread has read them.
    ///
    /// A thread that comes late may find the batch filled with later blocks, some of them still incomplete.
    package mutating func decode(with tables: borrowing BlockTables) {
        guard state == .full else { return }
        state = stages_decode_batch(batch, tables.tables) ? .decoded : .refused
    }

    /// The second stage: executes the blocks, after all blocks before them.
    ///
    /// - Parameter output: memory of `contentSize` plus `slack` bytes, with the window directly before it.
    /// - Returns: the number of bytes of content written; nil if a block is rejected.
    package func execute(_ blocks: inout BlockHistory, into output: UnsafeMutableRawBufferPointer) -> Int? {
        precondition(output.count >= Self.contentSize, "there is no room for the blocks")
        guard state == .decoded else { return nil }
        let start = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        // A rejected batch leaves the history as it was.
        let before = blocks.history
        let count = stages_execute_batch(batch, &blocks.history, start)
        if count < 0 { blocks.history = before }
        return count < 0 ? nil : Int(count)
    }

    /// The bytes of the frame in the batch, without blocks that have no content.
    package var input: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: stages_input(batch), count: Int(batch.pointee.filled))
    }

    /// Adds the input of the next batch; both were executed.
    ///
    /// - Returns: false if there is no room.
    package mutating func join(_ next: borrowing BlockBatch) -> Bool { stages_join(batch, next.batch) }

    /// Whether one of its blocks describes codes of literals, which later blocks may repeat.
    package var hasCodes: Bool { stages_has_codes(batch) }

    /// A block that gives libzstd the codes of the last such block, in the form that it chose for them.
    ///
    /// - Precondition: `hasCodes`.
    package var restoringCodes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(STAGES_RESTORING_SIZE)) { room, count in
            count = room.baseAddress.map { stages_restore_codes(batch, $0) } ?? 0
        }
    }

    /// Blocks that set up a decoder for the blocks of this batch, except for codes and window (`stages_restore`).
    ///
    /// - Parameter blocks: the state after all preceding blocks.
    /// - Returns: nil if there is not enough memory.
    package func restoringBlocks(_ blocks: BlockHistory) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(STAGES_RESTORING_SIZE)) { room, count in
            count = withUnsafePointer(to: blocks.history) { stages_restore(batch, $0, room.baseAddress) }
        }
        return bytes.isEmpty ? nil : bytes
    }
}

/// The state that is carried from one block of a frame to the next.
package struct BlockHistory {
    var finder = stages_finder()
    var history = stages_history()

    /// - Parameter header: the header of a frame that needs no dictionary.
    package init(_ header: FrameHeader) {
        finder.block_size = UInt32(header.blockLimit)
        history.block_size = finder.block_size
        history.window = header.windowSize
        history.ring = Decompressor.ringSize(of: header) ?? .max
        // RFC 8878, 3.1.1.5: the repeated offsets at the start of a frame.
        history.repeats = (1, 4, 8)
    }

    /// The number of bytes of the frame's content so far.
    package var produced: UInt64 { history.produced }
    /// Whether libzstd's buffer has all of the content.
    package var isFirstLap: Bool { history.lap == 0 }
    /// Where the content lies in libzstd's buffer.
    package var ring: Decompressor.Ring {
        Decompressor.Ring(size: history.ring, place: history.place, lap: history.lap)
    }
}

/// The tables of one thread that reads the blocks of a frame (`stages_tables`).
package struct BlockTables: ~Copyable {
    let tables: OpaquePointer

    /// - Throws: `outOfMemory`.
    package init() throws(CodecFailure) {
        guard let tables = stages_make_tables() else { throw .outOfMemory }
        self.tables = tables
    }

    deinit { stages_free_tables(tables) }
}
