internal import CLzma

/// The header of an xz block, at a fixed address, because liblzma's decoder refers to it.
struct XzBlock: ~Copyable {
    private let block: UnsafeMutablePointer<lzma_block>
    private let filters: UnsafeMutablePointer<lzma_filter>
    /// liblzma's result for the header; the other properties are only valid if this is `LZMA_OK`.
    let code: lzma_ret
    /// The memory that the filters need in bytes; `UInt64.max` if liblzma does not support them.
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

    /// The sizes in the header, or those found by decoding; nil if they are not known.
    var sizes: XzPlace.Sizes? {
        let (unpadded, content) = (lzma_block_unpadded_size(block), block.pointee.uncompressed_size)
        guard unpadded > 0, unpadded != .max, content != .max else { return nil }
        return XzPlace.Sizes(unpadded: unpadded, content: content)
    }

    /// Makes the decoder verify the block against sizes from elsewhere.
    ///
    /// - Returns: whether the header agrees.
    func expect(_ sizes: XzPlace.Sizes) -> Bool {
        guard lzma_block_compressed_size(block, sizes.unpadded) == LZMA_OK else { return false }
        let content = block.pointee.uncompressed_size
        block.pointee.uncompressed_size = sizes.content
        return content == .max || content == sizes.content
    }

    /// Prepares `stream` to decode the block after its header.
    func begin(_ stream: inout lzma_stream) -> lzma_ret { lzma_block_decoder(&stream, block) }
}
