internal import CLzma

/// Decodes files of xz's predecessor with liblzma.
final class LzmaDecoder: ForeignDecoder {
    private let memoryLimit: UInt64
    private var stream = lzma_stream()

    init(memoryLimit: UInt64) { self.memoryLimit = memoryLimit }

    deinit { lzma_end(&stream) }

    var memory: Int { Int(clamping: lzma_memusage(&stream)) }

    func begin(at _: XzPlace?) throws(ForeignFailure) {
        // The memory of the last member is used again.
        guard lzma_alone_decoder(&stream, memoryLimit) == LZMA_OK else { throw .outOfMemory }
    }

    func decode(
        _ segment: inout UnsafeRawBufferPointer, into room: inout UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(ForeignFailure) -> Bool {
        let code = stream.code(&segment, into: &room)
        if code == LZMA_MEMLIMIT_ERROR {
            throw .needsMemory(.lzma, bytes: lzma_memusage(&stream), limit: memoryLimit, offset: offset)
        }
        try code.check(.lzma, offset)
        return code == LZMA_STREAM_END
    }
}
