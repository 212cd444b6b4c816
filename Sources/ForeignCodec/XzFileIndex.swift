internal import CLzma

/// The positions of the blocks in an xz file, according to the indexes at the ends of its streams.
///
/// Only the checksums of the indexes are verified, so a decoder has to compare each block with its sizes.
package struct XzFileIndex: Sendable {
    /// The memory limit for liblzma's indexes in bytes, which is enough for a quarter of a million blocks.
    private static let memoryLimit: UInt64 = 4 << 20
    /// The size of a read in bytes.
    private static let readSize: UInt64 = 8 << 10

    /// The number of seeks that is always allowed, and how many bytes per seek must be passed after that.
    ///
    /// liblzma takes time for each stream; if streams are small, a single decoder is faster for all of them.
    private static let (seekCount, seekDistance) = (16, UInt64(32 << 10))

    /// The sizes of the blocks, by their offsets in the file.
    private(set) var sizes: [UInt64: XzPlace.Sizes] = [:]

    /// - Parameters:
    ///   - size: the size of the file in bytes.
    ///   - read: returns bytes of the file from an offset on; nil if some are missing.
    /// - Returns: nil if the file does not consist of complete streams only, if the streams are small, or if there is
    ///   only one block.
    package init?(ofFile size: UInt64, read: (_ offset: UInt64, _ count: Int) -> [UInt8]?) {
        // liblzma keeps the address of the stream's `seek_pos`, and writes there in later calls.
        let stream = UnsafeMutablePointer<lzma_stream>.allocate(capacity: 1)
        stream.initialize(to: lzma_stream())
        defer {
            lzma_end(stream)
            stream.deallocate()
        }
        // It writes to this address when the index is complete.
        let place = UnsafeMutablePointer<OpaquePointer?>.allocate(capacity: 1)
        place.initialize(to: nil)
        defer {
            lzma_index_end(place.pointee, nil)
            place.deallocate()
        }
        guard lzma_file_info_decoder(stream, place, Self.memoryLimit, size) == LZMA_OK else { return nil }
        var (position, seeks, code) = (UInt64(0), 0, LZMA_OK)
        while code != LZMA_STREAM_END {
            guard position < size, let bytes = read(position, Int(min(Self.readSize, size - position))) else {
                return nil
            }
            code = bytes.withUnsafeBufferPointer { bytes in
                (stream.pointee.next_in, stream.pointee.avail_in) = (bytes.baseAddress, bytes.count)
                return lzma_code(stream, LZMA_RUN)
            }
            switch code {
            case LZMA_OK: position += UInt64(bytes.count)
            case LZMA_SEEK_NEEDED:
                (position, seeks) = (stream.pointee.seek_pos, seeks + 1)
                // liblzma works from the end of the file to its start.
                let passed = size - min(size, position)
                if seeks > Self.seekCount, passed / UInt64(seeks) < Self.seekDistance { return nil }
            case LZMA_STREAM_END: break
            default: return nil
            }
        }
        guard let index = place.pointee, lzma_index_block_count(index) > 1 else { return nil }
        take(index)
    }

    private mutating func take(_ index: OpaquePointer) {
        var blocks = lzma_index_iter()
        lzma_index_iter_init(&blocks, index)
        while lzma_index_iter_next(&blocks, LZMA_INDEX_ITER_BLOCK) == 0 {
            sizes[blocks.block.compressed_file_offset] = XzPlace.Sizes(
                unpadded: blocks.block.unpadded_size, content: blocks.block.uncompressed_size)
        }
    }
}

/// Compares the blocks of a stream with its index, like liblzma's decoder.
struct XzIndexHash: ~Copyable {
    private let hash: OpaquePointer

    /// - Throws: `outOfMemory`.
    init(_ blocks: [XzPlace.Sizes]) throws(ForeignFailure) {
        guard let hash = lzma_index_hash_init(nil, nil) else { throw .outOfMemory }
        self.hash = hash
        for block in blocks { _ = append(block) }
    }

    deinit { lzma_index_hash_end(hash, nil) }

    /// The size of the index in bytes.
    var size: UInt64 { lzma_index_hash_size(hash) }

    func append(_ block: XzPlace.Sizes) -> lzma_ret {
        lzma_index_hash_append(hash, block.unpadded, block.content)
    }

    /// Compares the next bytes of the index.
    func decode(_ bytes: inout RawSpan) -> lzma_ret {
        var taken = 0
        let code = bytes.withUnsafeBytes { bytes in
            lzma_index_hash_decode(hash, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, &taken, bytes.count)
        }
        bytes.drop(taken)
        return code
    }
}
