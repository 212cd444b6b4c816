internal import DequeModule

/// Copies a stream of bytes into aligned blocks of one size, as they go past the page cache.
package struct BlockBuffer: ~Copyable {
    private struct Piece {
        var bytes: Bytes
        let whenCopied: @Sendable () -> Void
    }

    /// Bytes of a block.
    package static let blockSize = 2 << 20
    /// Of the memory and the length of a block, in bytes. Most disks want less; where one wants more, nothing bypasses
    /// the cache.
    static let alignment = 4096

    // Apart from the allocator, which would cut the large pieces that chunks leave into blocks.
    private let pool = BufferPool(capacity: blockSize, alignment: alignment)
    private var block: OutputBuffer?
    private var filled = 0
    private var waiting = Deque<Piece>()

    package init() {}

    /// Whether there is a whole block to be taken.
    package var isFull: Bool { filled == Self.blockSize }

    /// Whether there is nothing to be taken.
    var isEmpty: Bool { filled == 0 && waiting.isEmpty }

    /// Takes bytes that come behind those before them.
    package mutating func append(_ bytes: Bytes, whenCopied: @escaping @Sendable () -> Void) {
        waiting.append(Piece(bytes: bytes, whenCopied: whenCopied))
    }

    /// Copies what fits into the block.
    ///
    /// - Returns: what is to be run for the bytes that were copied, and are let go.
    /// - Throws: `outOfMemory`.
    package mutating func fill() throws(Failure) -> [@Sendable () -> Void] {
        var done: [@Sendable () -> Void] = []
        while !isFull, !waiting.isEmpty {
            if block == nil { block = try OutputBuffer(from: pool) }
            try copy(waiting[0].bytes.removeFirst(Self.blockSize - filled))
            if waiting[0].bytes.isEmpty { done.append(waiting.removeFirst().whenCopied) }
        }
        return done
    }

    private mutating func copy(_ bytes: Bytes) throws(Failure) {
        guard let memory = block?.memory else { return }
        try bytes.forEachRegion { region throws(Failure) in
            UnsafeMutableRawBufferPointer(rebasing: memory[filled...]).copyMemory(from: region)
            filled += region.count
        }
    }

    /// Hands over what is in the block, whether it is whole or not.
    package mutating func take() -> Bytes {
        defer { filled = 0 }
        return block.take()?.finish(count: filled) ?? Bytes()
    }

    /// Drops what has not been copied.
    ///
    /// - Returns: what is to be run for it.
    package mutating func drop() -> [@Sendable () -> Void] {
        defer { waiting = [] }
        return waiting.map(\.whenCopied)
    }
}
