internal import CLzma

/// The header of a block of xz, at a fixed address, since liblzma's decoder refers to it.
struct XzBlock: ~Copyable {
    private let block: UnsafeMutablePointer<lzma_block>
    private let filters: UnsafeMutablePointer<lzma_filter>
    /// What liblzma says of the header; the rest means something only if this is `LZMA_OK`.
    let code: lzma_ret
    /// What the filters need, in bytes; the largest number if liblzma does not know them.
    let memory: UInt64

    init(_ header: [UInt8], check: lzma_check) {
        block = .allocate(capacity: 1)
        block.initialize(to: lzma_block())
        let count = Int(LZMA_FILTERS_MAX) + 1
        filters = .allocate(capacity: count)
        filters.initialize(repeating: lzma_filter(id: .max, options: nil), count: count)
        block.pointee.version = 1
        block.pointee.header_size = UInt32(header.count)
        block.pointee.check = check
        block.pointee.filters = filters
        code = lzma_block_header_decode(block, nil, header)
        memory = code == LZMA_OK ? lzma_raw_decoder_memusage(filters) : 0
    }

    deinit {
        lzma_filters_free(filters, nil)
        filters.deallocate()
        block.deallocate()
    }

    /// The sizes that the header says, or those that decoding has found; nil if they are not known.
    var sizes: XzPlace.Sizes? {
        let (unpadded, content) = (lzma_block_unpadded_size(block), block.pointee.uncompressed_size)
        guard unpadded > 0, unpadded != .max, content != .max else { return nil }
        return XzPlace.Sizes(unpadded: unpadded, content: content)
    }

    /// Makes the decoder compare the block with sizes that something else says.
    ///
    /// - Returns: whether the header agrees.
    func expect(_ sizes: XzPlace.Sizes) -> Bool {
        guard lzma_block_compressed_size(block, sizes.unpadded) == LZMA_OK else { return false }
        let content = block.pointee.uncompressed_size
        block.pointee.uncompressed_size = sizes.content
        return content == .max || content == sizes.content
    }

    /// Makes `stream` decode the block after its header.
    func begin(_ stream: inout lzma_stream) -> lzma_ret { lzma_block_decoder(&stream, block) }
}
