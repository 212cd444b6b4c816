internal import CIsal
internal import CZlib

/// Decodes the rest of the deflate data of a gzip member with zlib, from where ISA-L was.
final class RawInflater {
    /// At a fixed address, because zlib's state points back to it.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Content that ISA-L had decoded, and not written.
    private var pending: ArraySlice<UInt8>
    /// Of the content that was written.
    private(set) var checksum: UInt32

    /// - Returns: also the data that comes before the next input.
    static func takeOver(_ place: sluice_handover) throws(GzipDamage) -> (RawInflater, data: [UInt8]) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            stream.deallocate()
            throw .noMemory
        }
        let inflater = RawInflater(stream, place)
        guard place.window_count == 0 || inflateSetDictionary(stream, place.window, UInt32(place.window_count)) == Z_OK
        else { throw .noMemory }
        inflatePrime(stream, place.first_bit_count, Int32(place.first_bits))
        let data = withUnsafeBytes(of: place.bytes) { Array($0.prefix(place.byte_count)) }
        return (inflater, data)
    }

    private init(_ stream: UnsafeMutablePointer<z_stream>, _ place: sluice_handover) {
        self.stream = stream
        pending = Array(UnsafeBufferPointer(start: place.pending, count: place.pending_count))[...]
        checksum = place.checksum
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Decodes a segment of the data; on return, and after an error, both have what is left.
    ///
    /// - Returns: whether the data has ended.
    func inflate(
        _ segment: inout RawSpan, into room: inout UnsafeMutableRawBufferPointer
    ) throws(GzipDamage) -> Bool {
        let before = room
        defer { addToChecksum(before.prefix(before.count - room.count)) }
        let count = min(pending.count, room.count)
        room.copyBytes(from: pending.prefix(count))
        pending = pending.dropFirst(count)
        room.drop(count)
        guard pending.isEmpty else { return false }
        let code = stream.inflate(&segment, into: &room)
        switch code {
        // Z_BUF_ERROR only means that no progress was possible.
        case Z_OK, Z_BUF_ERROR: return false
        case Z_STREAM_END: return true
        case Z_MEM_ERROR: throw .noMemory
        default: throw .data
        }
    }

    private func addToChecksum(_ content: Slice<UnsafeMutableRawBufferPointer>) {
        let content = UnsafeRawBufferPointer(rebasing: content)
        guard let start = content.assumingMemoryBound(to: UInt8.self).baseAddress, !content.isEmpty else { return }
        checksum = UInt32(crc32_z(UInt(checksum), start, content.count))
    }
}
