internal import CStages

/// A few blocks of a frame that follow one another, decoded in the two stages of `CStages`: what they say can be read
/// by any thread, and is carried out in the order of the frame.
///
/// What it refuses may be right: libzstd has the last word.
package struct BlockBatch: ~Copyable, Sendable {
    private enum State { case filling, full, decoded, refused }

    /// Bytes that the blocks decompress to at most.
    package static let contentSize = Int(STAGES_BATCH_SIZE)
    /// Bytes behind the content that may be overwritten.
    package static let slack = Int(STAGES_SLACK)
    /// Bytes of one.
    package static let memory = MemoryLayout<stages_batch>.size

    // An address, for pointers are not Sendable.
    private let address: UInt
    private var state = State.filling

    /// - Throws: `outOfMemory`.
    package init() throws(CodecFailure) {
        guard let batch = stages_make_batch() else { throw .outOfMemory }
        address = UInt(bitPattern: batch)
    }

    deinit { stages_free_batch(batch) }

    /// Whether what the blocks say was read, or refused.
    package var isDecoded: Bool { state == .decoded || state == .refused }
    /// Whether the last block of the frame is one of them.
    package var hasLast: Bool { batch?.pointee.has_last == true }
    /// Whether there is no block in it that holds anything.
    package var isEmpty: Bool { batch?.pointee.count == 0 }

    /// Begins anew, with the block behind those that were found, whose batch is still there.
    package mutating func begin(_ blocks: inout BlockHistory) {
        stages_begin_batch(batch, &blocks.finder)
        state = .filling
    }

    /// Takes bytes of the frame.
    ///
    /// - Parameter part: on return, what was not taken.
    /// - Returns: whether it is full, or a block was refused: then it is to be decoded.
    package mutating func fill(_ part: inout UnsafeRawBufferPointer, _ blocks: inout BlockHistory) -> Bool {
        let bytes = part.bindMemory(to: UInt8.self)
        let taken = stages_fill_batch(batch, &blocks.finder, bytes.baseAddress, bytes.count)
        guard taken >= 0 else {
            state = .refused
            return true
        }
        part = UnsafeRawBufferPointer(rebasing: part.dropFirst(Int(taken)))
        if let batch, stages_is_full(batch) { state = .full }
        return state == .full
    }

    /// States that nothing more comes, of which there may be less than it takes.
    package mutating func finish() { if state == .filling { state = .full } }

    /// The first stage: reads what the blocks say, if all are there and nobody did.
    ///
    /// Who comes late may find others there, of which not all have come.
    package mutating func decode(with tables: borrowing BlockTables) {
        guard state == .full else { return }
        state = stages_decode_batch(batch, tables.tables) ? .decoded : .refused
    }

    /// The second stage: carries it out, behind the blocks that were carried out before.
    ///
    /// - Parameter output: room for `contentSize` and `slack`, with the window in front of it.
    /// - Returns: the bytes of content; nil if a block is refused.
    package func execute(_ blocks: inout BlockHistory, into output: UnsafeMutableRawBufferPointer) -> Int? {
        precondition(output.count >= Self.contentSize, "there is no room for the blocks")
        guard state == .decoded else { return nil }
        let start = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let count = stages_execute_batch(batch, &blocks.history, start)
        return count < 0 ? nil : Int(count)
    }

    private var batch: UnsafeMutablePointer<stages_batch>? { UnsafeMutablePointer(bitPattern: address) }
}
