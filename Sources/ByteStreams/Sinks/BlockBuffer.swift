internal import DequeModule

/// Copies a stream of bytes into aligned blocks of one size, which can go past the page cache.
package struct BlockBuffer: ~Copyable {
    /// Bytes of a block.
    package static let blockSize = 2 << 20
    /// The alignment of a block's memory and size, in bytes. Most disks need less; for one that needs more, everything
    /// goes through the cache.
    static let alignment = 4096

    // The allocator would cut the memory that large chunks leave into blocks.
    private let pool = BufferPool(capacity: blockSize, alignment: alignment)
    private var block: OutputBuffer?
    private var filled = 0
    private var waiting = Deque<(bytes: Bytes, whenCopied: @Sendable () -> Void)>()

    package init() {}

    /// Whether a whole block can be taken.
    package var isFull: Bool { filled == Self.blockSize }

    /// Adds the next bytes.
    package mutating func append(_ bytes: Bytes, whenCopied: @escaping @Sendable () -> Void) {
        waiting.append((bytes, whenCopied))
    }

    /// Copies what fits into the block.
    ///
    /// - Returns: the `whenCopied` of the bytes that were copied and released.
    /// - Throws: `outOfMemory`.
    package mutating func fill() throws(Failure) -> [@Sendable () -> Void] {
        var done: [@Sendable () -> Void] = []
        while !isFull, !waiting.isEmpty {
            if block == nil { block = try OutputBuffer(from: pool) }
            let bytes = waiting[0].bytes.removeFirst(Self.blockSize - filled)
            if let memory = block?.memory { bytes.copy(to: .init(rebasing: memory[filled...])) }
            filled += bytes.count
            if waiting[0].bytes.isEmpty { done.append(waiting.removeFirst().whenCopied) }
        }
        return done
    }

    /// Takes the block, which may not be full yet.
    package mutating func take() -> Bytes {
        defer { filled = 0 }
        return block.take()?.finish(count: filled) ?? Bytes()
    }

    /// Drops the bytes that have not been copied, and returns their `whenCopied`.
    package mutating func drop() -> [@Sendable () -> Void] {
        defer { waiting = [] }
        return waiting.map(\.whenCopied)
    }
}
