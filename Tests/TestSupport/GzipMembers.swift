internal import CZlib

/// How zlib compresses.
package enum DeflateStrategy: Int32, CaseIterable, Sendable {
    case usual, filtered, huffmanOnly, runLengths, fixedCodes
}

/// The content as deflate data (RFC 1951).
///
/// - Parameters:
///   - level: 0 to 9.
///   - flushes: where blocks end, with an empty one after each.
package func deflated(
    _ content: [UInt8], level: Int = 6, strategy: DeflateStrategy = .usual, flushes: [Int] = []
) -> [UInt8] {
    var stream = z_stream()
    deflateInit2_(
        &stream, Int32(level), Z_DEFLATED, -MAX_WBITS, 8, strategy.rawValue, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size))
    defer { deflateEnd(&stream) }
    var (content, bytes) = (content, [UInt8](repeating: 0, count: 2 * content.count + 1000 + 10 * flushes.count))
    let (size, room) = (content.count, bytes.count)
    return content.withUnsafeMutableBufferPointer { content in
        bytes.withUnsafeMutableBufferPointer { bytes in
            stream.next_in = content.baseAddress
            (stream.next_out, stream.avail_out) = (bytes.baseAddress, UInt32(room))
            for end in flushes {
                stream.avail_in = UInt32(min(end, size)) - UInt32(stream.total_in)
                // A second flush at one place has nothing to do.
                let code = deflate(&stream, Z_SYNC_FLUSH)
                precondition([Z_OK, Z_BUF_ERROR].contains(code), "there is room for twice the content")
            }
            stream.avail_in = UInt32(size) - UInt32(stream.total_in)
            precondition(deflate(&stream, Z_FINISH) == Z_STREAM_END, "there is room for twice the content")
            return Array(bytes[..<Int(stream.total_out)])
        }
    }
}

/// The deflate data as a gzip member, with the trailer that belongs to its content, if that ends.
///
/// - Parameter fields: of the header: flags, and what they announce.
package func gzipMember(
    ofDeflated data: [UInt8], mostContent: Int = 1 << 26, fields: (flags: UInt8, bytes: [UInt8]) = (0, [])
) -> [UInt8] {
    var (checksum, size, end) = (UInt32(0), UInt32(0), data.count)
    let (content, taken, _) = inflated(data, windowBits: -MAX_WBITS, most: mostContent)
    if let taken { (checksum, size, end) = (zlibChecksum(of: content), UInt32(content.count), taken) }
    var header: [UInt8] = [0x1F, 0x8B, 8, fields.flags, 1, 2, 3, 4, 0, 3] + fields.bytes
    if fields.flags & 2 != 0 {
        let sum = zlibChecksum(of: header)
        header += [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)]
    }
    let trailer = [checksum, size].flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    return header + data[..<end] + trailer + data[end...]
}

/// What zlib says of a gzip member that it refuses; nil if it does not.
package func zlibMessage(of member: [UInt8]) -> String? {
    inflated(member, windowBits: MAX_WBITS + 16, most: .max).message
}

/// The CRC-32 of gzip.
package func zlibChecksum(of content: [UInt8]) -> UInt32 { UInt32(crc32_z(0, content, content.count)) }

/// What zlib makes of data: the bytes that it took, if the data ends, and what it says if it refuses them.
private func inflated(_ data: [UInt8], windowBits: Int32, most: Int) -> (
    content: [UInt8], taken: Int?, message: String?
) {
    var (data, stream) = (data, z_stream())
    inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    defer { inflateEnd(&stream) }
    var (content, memory) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    let count = data.count
    return data.withUnsafeMutableBufferPointer { data in
        (stream.next_in, stream.avail_in) = (data.baseAddress, UInt32(count))
        while content.count <= most {
            let (code, written) = memory.withUnsafeMutableBufferPointer { memory in
                (stream.next_out, stream.avail_out) = (memory.baseAddress, UInt32(memory.count))
                return (inflate(&stream, Z_NO_FLUSH), memory.count - Int(stream.avail_out))
            }
            content += memory[..<written]
            switch code {
            case Z_STREAM_END: return (content, Int(stream.total_in), nil)
            case Z_OK: if stream.avail_in == 0, written < memory.count { return (content, nil, nil) }
            case Z_BUF_ERROR: return (content, nil, nil)
            default: return (content, nil, stream.msg.map { String(cString: $0) } ?? "")
            }
        }
        return (content, nil, nil)
    }
}
