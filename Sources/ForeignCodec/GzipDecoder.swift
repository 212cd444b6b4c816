internal import CZlib

/// Decodes gzip members (RFC 1952) with zlib's `inflate`, which verifies their CRC-32 and size; where ISA-L is missing.
final class GzipDecoder: ForeignDecoder {
    /// At a fixed address, because zlib's state points back to it.
    private let stream: UnsafeMutablePointer<z_stream>

    init() throws(ForeignFailure) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // The largest window, plus 16 to select gzip's header and trailer instead of zlib's.
        guard inflateInit2_(stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            stream.deallocate()
            throw .outOfMemory
        }
        self.stream = stream
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// According to zconf.h: a window of 32 KiB, and about 7 KiB.
    var memory: Int { 40 << 10 }

    func begin(at _: XzPlace?) { inflateReset(stream) }

    func decode(
        _ segment: inout RawSpan, into room: inout UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(ForeignFailure) -> Bool {
        let code = stream.inflate(&segment, into: &room)
        switch code {
        // Z_BUF_ERROR only means that no progress was possible.
        case Z_OK, Z_BUF_ERROR, Z_STREAM_END: break
        case Z_MEM_ERROR: throw .outOfMemory
        default:
            throw .corrupt(.gzip, reason: Self.reason(stream.pointee.msg.map { String(cString: $0) }), offset: offset)
        }
        return code == Z_STREAM_END
    }

    private static func reason(_ words: String?) -> String {
        switch words {
        case "incorrect data check": "its checksum does not match its content"
        case "incorrect length check": "its size does not match its trailer"
        case "unknown compression method", "unknown header flags set", "header crc mismatch": "its header is damaged"
        default: "it is damaged"
        }
    }
}

extension UnsafeMutablePointer<z_stream> {
    /// Calls zlib's `inflate` once; on return, segment and room have what is left.
    func inflate(_ segment: inout RawSpan, into room: inout UnsafeMutableRawBufferPointer) -> Int32 {
        // zlib counts in 32 bits; the caller continues with the rest.
        let (source, target) = (UInt32(clamping: segment.byteCount), UInt32(clamping: room.count))
        let code = segment.withUnsafeBytes { segment in
            let bytes = segment.assumingMemoryBound(to: UInt8.self).baseAddress
            pointee.next_in = UnsafeMutablePointer<UInt8>(mutating: bytes)
            pointee.avail_in = source
            pointee.next_out = room.assumingMemoryBound(to: UInt8.self).baseAddress
            pointee.avail_out = target
            return CZlib.inflate(self, Z_NO_FLUSH)
        }
        segment.drop(Int(source - pointee.avail_in))
        room.drop(Int(target - pointee.avail_out))
        return code
    }
}
