internal import CLz4

/// Decodes lz4 frames with liblz4, which verifies their checksums and sizes.
final class Lz4Decoder: ForeignDecoder {
    private let context: OpaquePointer

    init() throws(ForeignFailure) {
        var context: OpaquePointer?
        guard LZ4F_isError(LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))) == 0, let context else {
            throw .outOfMemory
        }
        self.context = context
    }

    deinit { LZ4F_freeDecompressionContext(context) }

    /// The largest block, compressed and decompressed, and 128 KiB of history.
    var memory: Int { 2 * (4 << 20) + 128 << 10 }

    func begin(at _: XzPlace?) { LZ4F_resetDecompressionContext(context) }

    func decode(
        _ segment: inout RawSpan, into room: inout UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(ForeignFailure) -> Bool {
        var (taken, written) = (segment.byteCount, room.count)
        let code = segment.withUnsafeBytes { segment in
            LZ4F_decompress(context, room.baseAddress, &written, segment.baseAddress, &taken, nil)
        }
        guard LZ4F_isError(code) == 0 else {
            let words = String(cString: LZ4F_getErrorName(code))
            if words == "ERROR_allocation_failed" { throw .outOfMemory }
            throw .corrupt(.lz4, reason: Self.reason(words), offset: offset)
        }
        segment.drop(taken)
        room.drop(written)
        return code == 0
    }

    /// The stable interface of liblz4 provides only error names, not numbers.
    private static func reason(_ name: String) -> String {
        switch name {
        case "ERROR_contentChecksum_invalid", "ERROR_blockChecksum_invalid":
            "its checksum does not match its content"
        case "ERROR_frameSize_wrong": "its size does not match its header"
        case "ERROR_headerChecksum_invalid", "ERROR_reservedFlag_set", "ERROR_headerVersion_wrong",
            "ERROR_maxBlockSize_invalid":
            "its header is damaged"
        default: "it is damaged"
        }
    }
}
