internal import CLzma

/// Decodes streams of xz, whose checks it verifies, and files of xz's predecessor, with liblzma.
struct LzmaDecoder: MemberDecoder, ~Copyable {
    /// LZMA_TELL_UNSUPPORTED_CHECK, a macro with a cast: streams that can't be verified are refused.
    private static let tellsUnsupportedCheck: UInt32 = 0x02

    private let format: ForeignFormat
    private let memoryLimit: UInt64
    private var stream = lzma_stream()

    /// - Parameter format: xz or lzma.
    init(_ format: ForeignFormat, memoryLimit: UInt64) {
        self.format = format
        self.memoryLimit = memoryLimit
    }

    deinit {
        var stream = stream
        lzma_end(&stream)
    }

    var memory: Int { mutating get { Int(clamping: lzma_memusage(&stream)) } }

    mutating func begin() throws(ForeignFailure) {
        // The memory of the last member is used again.
        let code =
            format == .xz
            ? lzma_stream_decoder(&stream, memoryLimit, Self.tellsUnsupportedCheck)
            : lzma_alone_decoder(&stream, memoryLimit)
        guard code == LZMA_OK else { throw .outOfMemory }
    }

    mutating func decode(
        _ segment: UnsafeRawBufferPointer, into content: UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(ForeignFailure) -> (taken: Int, written: Int, hasEnded: Bool) {
        stream.next_in = segment.assumingMemoryBound(to: UInt8.self).baseAddress
        stream.avail_in = segment.count
        stream.next_out = content.assumingMemoryBound(to: UInt8.self).baseAddress
        stream.avail_out = content.count
        let code = lzma_code(&stream, LZMA_RUN)
        try check(code, offset)
        return (segment.count - stream.avail_in, content.count - stream.avail_out, code == LZMA_STREAM_END)
    }

    private mutating func check(_ code: lzma_ret, _ offset: UInt64) throws(ForeignFailure) {
        switch code {
        // LZMA_BUF_ERROR says that there was nothing to do, twice.
        case LZMA_OK, LZMA_BUF_ERROR, LZMA_STREAM_END: return
        case LZMA_MEM_ERROR: throw .outOfMemory
        case LZMA_MEMLIMIT_ERROR:
            throw .needsMemory(format, bytes: lzma_memusage(&stream), limit: memoryLimit, offset: offset)
        case LZMA_OPTIONS_ERROR: throw .unsupported(format, reason: "its options are not known here", offset: offset)
        case LZMA_UNSUPPORTED_CHECK:
            throw .unsupported(format, reason: "its kind of checksum is not known here", offset: offset)
        case LZMA_FORMAT_ERROR: throw .corrupt(format, reason: "its header is damaged", offset: offset)
        default: throw .corrupt(format, reason: "it is damaged", offset: offset)
        }
    }
}
