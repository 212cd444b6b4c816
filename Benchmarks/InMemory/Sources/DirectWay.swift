import CZstd

/// libzstd called directly.
final class DirectWay: Way {
    private let contents: [[UInt8]]
    private let (frame, content): (UnsafeMutableRawBufferPointer, UnsafeMutableRawBufferPointer)
    private let (compressor, decompressor) = (ZSTD_createCCtx(), ZSTD_createDCtx())
    private var size = 0

    init(_ contents: [[UInt8]]) {
        self.contents = contents
        let size = contents[0].count
        (frame, content) = (
            .allocate(byteCount: ZSTD_compressBound(size), alignment: 16), .allocate(byteCount: size, alignment: 16)
        )
        ZSTD_CCtx_setParameter(compressor, ZSTD_c_compressionLevel, 3)
        ZSTD_CCtx_setParameter(compressor, ZSTD_c_checksumFlag, 1)
    }

    deinit {
        ZSTD_freeCCtx(compressor)
        ZSTD_freeDCtx(decompressor)
        frame.deallocate()
        content.deallocate()
    }

    func compress(_ number: Int) {
        contents[number].withUnsafeBytes {
            size = ZSTD_compress2(compressor, frame.baseAddress, frame.count, $0.baseAddress, $0.count)
        }
    }

    func decompress() {
        ZSTD_decompressDCtx(decompressor, content.baseAddress, content.count, frame.baseAddress, size)
    }

    func has(_ content: [UInt8]) -> Bool { content.elementsEqual(self.content) }
}
