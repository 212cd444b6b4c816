internal import CLzma

/// Decodes lzma files, the format before xz, with liblzma.
final class LzmaDecoder: ForeignDecoder {
    private let memoryLimit: UInt64
    private var stream = lzma_stream()

    init(memoryLimit: UInt64) { self.memoryLimit = memoryLimit }

    deinit { lzma_end(&stream) }

    var memory: Int { Int(clamping: lzma_memusage(&stream)) }

    func begin(at _: XzPlace?) throws(ForeignFailure) {
        // This reuses the memory of the last member.
        guard lzma_alone_decoder(&stream, memoryLimit) == LZMA_OK else { throw .outOfMemory }
    }

    func decode(
        _ segment: inout RawSpan, into room: inout UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(ForeignFailure) -> Bool {
        let code = stream.code(&segment, into: &room)
        if code == LZMA_MEMLIMIT_ERROR {
            throw .needsMemory(.lzma, bytes: lzma_memusage(&stream), limit: memoryLimit, offset: offset)
        }
        try code.check(.lzma, offset)
        return code == LZMA_STREAM_END
    }
}

extension lzma_stream {
    /// Decodes a segment. Consumed and written bytes are counted even if it fails.
    mutating func code(_ segment: inout RawSpan, into room: inout UnsafeMutableRawBufferPointer) -> lzma_ret {
        let code = segment.withUnsafeBytes { segment in
            next_in = segment.assumingMemoryBound(to: UInt8.self).baseAddress
            avail_in = segment.count
            next_out = room.assumingMemoryBound(to: UInt8.self).baseAddress
            avail_out = room.count
            return lzma_code(&self, LZMA_RUN)
        }
        segment.drop(segment.byteCount - avail_in)
        room.drop(room.count - avail_out)
        return code
    }
}

extension lzma_ret {
    /// - Throws: the failure for the code, unless it means that decoding continues or has ended.
    func check(_ format: ForeignFormat, _ offset: UInt64) throws(ForeignFailure) {
        switch self {
        // LZMA_BUF_ERROR only means that two calls in a row made no progress.
        case LZMA_OK, LZMA_BUF_ERROR, LZMA_STREAM_END: return
        case LZMA_MEM_ERROR: throw .outOfMemory
        case LZMA_OPTIONS_ERROR: throw .unsupported(format, reason: "unknown options", offset: offset)
        case LZMA_UNSUPPORTED_CHECK:
            throw .unsupported(format, reason: "unknown type of checksum", offset: offset)
        case LZMA_FORMAT_ERROR: throw .corrupt(format, reason: "its header is damaged", offset: offset)
        default: throw .corrupt(format, reason: "it is damaged", offset: offset)
        }
    }
}
