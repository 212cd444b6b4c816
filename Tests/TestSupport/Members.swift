internal import CLz4
internal import CLzma
internal import CZlib
package import ForeignCodec

/// The content as one member of a format that is read, with a checksum if the format has one.
package func member(_ content: [UInt8], in format: ForeignFormat) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 2 * content.count + 1000)
    let count =
        switch format {
        case .gzip: gzip(content, into: &bytes)
        case .xz: xz(content, into: &bytes)
        case .lzma: lzma(content, into: &bytes)
        case .lz4: lz4(content, into: &bytes)
        default: preconditionFailure("only what is read is made here")
        }
    return Array(bytes[..<count])
}

private func gzip(_ content: [UInt8], into bytes: inout [UInt8]) -> Int {
    var content = content
    let (size, room) = (content.count, bytes.count)
    return content.withUnsafeMutableBufferPointer { content in
        bytes.withUnsafeMutableBufferPointer { bytes in
            var stream = z_stream()
            deflateInit2_(
                &stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size))
            stream.next_in = content.baseAddress
            stream.avail_in = UInt32(size)
            stream.next_out = bytes.baseAddress
            stream.avail_out = UInt32(room)
            precondition(deflate(&stream, Z_FINISH) == Z_STREAM_END, "there is room for twice the content")
            deflateEnd(&stream)
            return room - Int(stream.avail_out)
        }
    }
}

private func xz(_ content: [UInt8], into bytes: inout [UInt8]) -> Int {
    var count = 0
    let code = lzma_easy_buffer_encode(
        0, LZMA_CHECK_CRC64, nil, content, content.count, &bytes, &count, bytes.count)
    precondition(code == LZMA_OK, "there is room for twice the content")
    return count
}

private func lzma(_ content: [UInt8], into bytes: inout [UInt8]) -> Int {
    var options = lzma_options_lzma()
    lzma_lzma_preset(&options, 0)
    let (size, room) = (content.count, bytes.count)
    return content.withUnsafeBufferPointer { content in
        bytes.withUnsafeMutableBufferPointer { bytes in
            var stream = lzma_stream()
            defer { lzma_end(&stream) }
            precondition(lzma_alone_encoder(&stream, &options) == LZMA_OK, "there is memory for a small encoder")
            stream.next_in = content.baseAddress
            stream.avail_in = size
            stream.next_out = bytes.baseAddress
            stream.avail_out = room
            precondition(lzma_code(&stream, LZMA_FINISH) == LZMA_STREAM_END, "there is room for twice the content")
            return room - stream.avail_out
        }
    }
}

private func lz4(_ content: [UInt8], into bytes: inout [UInt8]) -> Int {
    var preferences = LZ4F_preferences_t()
    preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled
    return LZ4F_compressFrame(&bytes, bytes.count, content, content.count, &preferences)
}
