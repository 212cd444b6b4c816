/// Gathers a stream of bytes in aligned blocks of one size, as they go past the page cache.
struct BlockBuffer: ~Copyable {
    /// Bytes of a block.
    static let blockSize = 2 << 20
    /// Of the memory and the length of a block, in bytes: a page, which suffices for every disk.
    static let alignment = 4096

    private var block: OutputBuffer?
    private var filled = 0

    /// Copies bytes behind those that came before.
    ///
    /// - Returns: the blocks that are full now.
    /// - Throws: `outOfMemory`.
    mutating func append(_ bytes: Bytes) throws(Failure) -> [Bytes] {
        var full: [Bytes] = []
        try bytes.forEachRegion { region throws(Failure) in
            var rest = region[...]
            while !rest.isEmpty {
                let space = try space()
                let piece = rest.prefix(space.count)
                space.copyMemory(from: UnsafeRawBufferPointer(rebasing: piece))
                filled += piece.count
                rest = rest.dropFirst(piece.count)
                if filled == Self.blockSize { full.append(takeRest()) }
            }
        }
        return full
    }

    /// Hands over what does not fill a block.
    mutating func takeRest() -> Bytes {
        defer { filled = 0 }
        return block.take()?.finish(count: filled) ?? Bytes()
    }

    private mutating func space() throws(Failure) -> UnsafeMutableRawBufferPointer {
        if block == nil { block = try OutputBuffer(capacity: Self.blockSize, alignment: Self.alignment) }
        let memory = block?.memory ?? UnsafeMutableRawBufferPointer(start: nil, count: 0)
        return UnsafeMutableRawBufferPointer(rebasing: memory[filled...])
    }
}
