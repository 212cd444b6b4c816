internal import CLzma
internal import ForeignCodec

/// The content as one stream of xz with blocks of a size, as those of `xz -T2`.
///
/// - Parameter saysSizes: whether their headers say their sizes.
public func xzBlocks(_ content: [UInt8], of blockSize: Int, saysSizes: Bool = true) -> [UInt8] {
    let starts = stride(from: 0, to: content.count, by: blockSize)
    return xzBlocks(starts.map { Array(content[$0..<min($0 + blockSize, content.count)]) }, saysSizes: saysSizes)
}

/// The contents as blocks of one stream of xz.
public func xzBlocks(_ contents: [[UInt8]], saysSizes: Bool = true) -> [UInt8] {
    var stream = lzma_stream()
    defer { lzma_end(&stream) }
    var code: lzma_ret
    if saysSizes {
        var options = lzma_mt()
        (options.threads, options.block_size, options.preset) = (1, UInt64(contents.reduce(1) { max($0, $1.count) }), 0)
        options.check = LZMA_CHECK_CRC32
        code = lzma_stream_encoder_mt(&stream, &options)
    } else {
        code = lzma_easy_encoder(&stream, 0, LZMA_CHECK_CRC32)
    }
    precondition(code == LZMA_OK, "there is memory for a small encoder")
    var bytes = [UInt8](repeating: 0, count: 2 * contents.reduce(0) { $0 + $1.count } + 10_000)
    let room = bytes.count
    let count = bytes.withUnsafeMutableBufferPointer { bytes in
        stream.next_out = bytes.baseAddress
        stream.avail_out = room
        for content in contents {
            content.withUnsafeBufferPointer { block in
                stream.next_in = block.baseAddress
                stream.avail_in = block.count
                repeat { code = lzma_code(&stream, LZMA_FULL_FLUSH) } while code == LZMA_OK
                precondition(code == LZMA_STREAM_END, "there is room for twice the content")
            }
        }
        repeat { code = lzma_code(&stream, LZMA_FINISH) } while code == LZMA_OK
        precondition(code == LZMA_STREAM_END, "there is room for twice the content")
        return room - stream.avail_out
    }
    return Array(bytes[..<count])
}

/// The content as members of gzip that say their size, as `bgzip` writes them, with the empty one at the end.
public func sizedMembers(_ content: [UInt8], of memberSize: Int) -> [UInt8] {
    let starts = Array(stride(from: 0, to: content.count, by: memberSize))
    let contents = starts.map { Array(content[$0..<min($0 + memberSize, content.count)]) } + [[]]
    return contents.flatMap { content in
        let plain = member(content, in: .gzip)
        let size = plain.count + 8 - 1
        // The same member with an extra field.
        let extra: [UInt8] = [6, 0, 0x42, 0x43, 2, 0, UInt8(size & 0xFF), UInt8(size >> 8)]
        return plain[..<3] + [4] + plain[4..<10] + extra + plain[10...]
    }
}
