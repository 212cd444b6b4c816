internal import CLz4

/// Frames of lz4, through liblz4, which verifies the checksums and the size that they have.
struct Lz4Decoder: MemberDecoder, ~Copyable {
    private let context: OpaquePointer

    init() throws(ForeignFailure) {
        context = try Self.makeContext()
    }

    deinit { LZ4F_freeDecompressionContext(context) }

    /// The largest block, twice for the compressed one and the decompressed one, and 128 KiB of what came before.
    var memory: Int { 2 * (4 << 20) + 128 << 10 }

    mutating func begin() throws(ForeignFailure) { LZ4F_resetDecompressionContext(context) }

    mutating func decode(
        _ part: UnsafeRawBufferPointer, into content: UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(ForeignFailure) -> (taken: Int, written: Int, hasEnded: Bool) {
        var (taken, written) = (part.count, content.count)
        let code = LZ4F_decompress(context, content.baseAddress, &written, part.baseAddress, &taken, nil)
        guard LZ4F_isError(code) == 0 else {
            let words = String(cString: LZ4F_getErrorName(code))
            if words == "ERROR_allocation_failed" { throw .outOfMemory }
            throw .corrupt(.lz4, reason: Self.reason(words), offset: offset)
        }
        return (taken, written, code == 0)
    }

    /// liblz4 keeps its numbers of errors out of the stable interface, but not their names.
    private static func reason(_ name: String) -> String {
        switch name {
        case "ERROR_contentChecksum_invalid", "ERROR_blockChecksum_invalid":
            "its checksum does not match its content"
        case "ERROR_frameSize_wrong": "it has another size than its header says"
        case "ERROR_headerChecksum_invalid", "ERROR_reservedFlag_set", "ERROR_headerVersion_wrong",
            "ERROR_maxBlockSize_invalid":
            "its header is damaged"
        default: "it is damaged"
        }
    }

    private static func makeContext() throws(ForeignFailure) -> OpaquePointer {
        var context: OpaquePointer?
        guard LZ4F_isError(LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))) == 0, let context else {
            throw .outOfMemory
        }
        return context
    }
}
