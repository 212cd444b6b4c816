internal import CLzma

/// A place between blocks of a stream of xz, where another decoder can go on.
package struct XzPlace: Sendable {
    /// A block, as its header and perhaps the file's index describe it.
    package struct Block: Sendable {
        let sizes: Sizes
        /// What the decoder needs, its dictionary included, in bytes.
        package let memory: UInt64

        /// Compressed bytes, with padding.
        package var size: UInt64 { (sizes.unpadded + 3) & ~3 }
        /// Decompressed bytes.
        package var contentSize: UInt64 { sizes.content }
    }

    /// Bytes of a block without its padding, and of its content: an entry of the index.
    struct Sizes: Equatable, Sendable {
        var unpadded: UInt64
        var content: UInt64
    }

    /// Bytes of a stream's header, and of its footer.
    package static let headerSize = 12
    /// The most blocks of a stream that are remembered, 2 MiB; the rest is left to one decoder.
    private static let mostBlocks = 1 << 17

    /// Where the stream begins in the input, for errors.
    package let start: UInt64
    let header: [UInt8]
    /// The blocks before, for the index.
    private(set) var blocks: [Sizes] = []
    /// What the decoder has to find in the blocks from here on, if nothing but these is decoded: the input then ends
    /// between blocks, instead of with the stream.
    private(set) var expected: ArraySlice<Sizes> = []

    /// The place after the header of a stream; nil if the header is damaged, or asks for what liblzma does not know.
    package init?(header: [UInt8], at start: UInt64) {
        guard let flags = Self.flags(of: header), lzma_check_is_supported(flags.check) != 0 else { return nil }
        (self.header, self.start) = (header, start)
    }

    private static func flags(of header: [UInt8]) -> lzma_stream_flags? {
        var flags = lzma_stream_flags()
        guard header.count == headerSize, lzma_stream_header_decode(&flags, header) == LZMA_OK else { return nil }
        return flags
    }

    /// The blocks of the stream that precede.
    package var count: Int { blocks.count }

    /// Whether this is the first byte of the index, in place of that of a block.
    package static func isIndex(_ byte: UInt8) -> Bool { byte == 0 }

    /// Bytes of a block's header, which its first byte tells.
    package static func headerSize(ofBlock byte: UInt8) -> Int { (Int(byte) + 1) * 4 }

    /// The block that begins with this header.
    ///
    /// - Parameters:
    ///   - index: says the sizes if the header does not; it need not be right.
    ///   - offset: where the block begins, as the index counts.
    /// - Returns: nil if the header is damaged, its sizes are not known, or it asks for what liblzma does not know.
    package func block(_ header: [UInt8], in index: XzFileIndex? = nil, at offset: UInt64 = 0) -> Block? {
        guard blocks.count < Self.mostBlocks, let flags = Self.flags(of: self.header) else { return nil }
        let block = XzBlock(header, check: flags.check)
        guard block.code == LZMA_OK, block.memory < .max else { return nil }
        if let sizes = block.sizes { return Block(sizes: sizes, memory: block.memory) }
        guard let sizes = index?.sizes[offset], block.expect(sizes) else { return nil }
        return Block(sizes: sizes, memory: block.memory)
    }

    /// Moves past a block.
    package mutating func pass(_ block: Block) { blocks.append(block.sizes) }

    /// The place after the first `count` blocks, for a decoder that gets nothing but the others.
    package func forBlocks(behind count: Int) -> XzPlace {
        var place = self
        (place.blocks, place.expected) = ([], blocks[count...])
        return place
    }

    /// Bytes of the index and the footer that have to follow.
    ///
    /// - Throws: `outOfMemory`.
    package func tailSize() throws(ForeignFailure) -> UInt64 {
        try XzIndexHash(blocks).size + UInt64(Self.headerSize)
    }
}
