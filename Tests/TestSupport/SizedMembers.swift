internal import CLzma
internal import CZlib
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

/// A member of gzip whose content is stored as it is, with a header that says that the member has this size, right or
/// wrong; nil for the right one.
public func storedMember(_ content: [UInt8], saying size: Int? = nil) -> [UInt8] {
    precondition(content.count <= 0xFFFF, "one stored block has no more")
    func number(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let said = (size ?? storedMemberOverhead + content.count) - 1
    let header: [UInt8] = [0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 0xFF, 6, 0, 0x42, 0x43, 2, 0] + number(said, bytes: 2)
    let block = [1] + number(content.count, bytes: 2) + number(~content.count, bytes: 2) + content
    let sum = content.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
    return header + block + number(Int(sum), bytes: 4) + number(content.count, bytes: 4)
}

/// Of these bytes, the first 23 come before the content.
public let storedMemberOverhead = 31

/// The headers of a stream of xz whose blocks claim sizes, compressed and of their content, by their places. What lies
/// between them is not there.
public func xzClaims(_ claims: [(compressed: UInt64, content: UInt64)]) -> [(offset: UInt64, bytes: [UInt8])] {
    func checked(_ bytes: [UInt8]) -> [UInt8] {
        let sum = lzma_crc32(bytes, bytes.count, 0)
        return (0..<4).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
    }
    func number(_ value: UInt64) -> [UInt8] {
        value < 0x80 ? [UInt8(value)] : [UInt8(truncatingIfNeeded: value) | 0x80] + number(value >> 7)
    }
    let flags: [UInt8] = [0, 1]
    var headers = [(offset: UInt64(0), bytes: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0] + flags + checked(flags))]
    var offset = UInt64(headers[0].bytes.count)
    for claim in claims {
        // Both sizes, and LZMA2 with a dictionary of 4 KiB.
        var header = [0, 0xC0] + number(claim.compressed) + number(claim.content) + [0x21, 0x01, 0x00]
        header += [UInt8](repeating: 0, count: (4 - header.count % 4) % 4)
        header[0] = UInt8(header.count / 4)
        header += checked(header)
        headers.append((offset, header))
        offset += (UInt64(header.count) + claim.compressed + 3) & ~3
        // A CRC32 ends each block.
        offset += 4
    }
    return headers
}
