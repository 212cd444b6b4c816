internal import CLzma

/// Compares the blocks of a stream with its index, as liblzma's decoder does.
struct XzIndexHash: ~Copyable {
    private let hash: OpaquePointer

    /// - Throws: `outOfMemory`.
    init(_ blocks: [XzPlace.Sizes]) throws(ForeignFailure) {
        guard let hash = lzma_index_hash_init(nil, nil) else { throw .outOfMemory }
        self.hash = hash
        for block in blocks { _ = append(block) }
    }

    deinit { lzma_index_hash_end(hash, nil) }

    /// Bytes of the index.
    var size: UInt64 { lzma_index_hash_size(hash) }

    func append(_ block: XzPlace.Sizes) -> lzma_ret {
        lzma_index_hash_append(hash, block.unpadded, block.content)
    }

    /// Compares bytes of the index.
    func decode(_ bytes: inout UnsafeRawBufferPointer) -> lzma_ret {
        var taken = 0
        let code = lzma_index_hash_decode(
            hash, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, &taken, bytes.count)
        bytes.drop(taken)
        return code
    }
}
