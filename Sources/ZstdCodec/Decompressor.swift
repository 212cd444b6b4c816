internal import CZstd

/// One decompression context of libzstd (`ZSTD_DCtx`): memory that is kept from frame to frame.
public struct Decompressor: ~Copyable {
    private let context: OpaquePointer
    /// Whether nothing of the frame was decompressed yet.
    private var isFresh = true

    /// - Throws: `outOfMemory`.
    public init() throws(CodecFailure) {
        context = try Self.makeContext()
    }

    deinit { ZSTD_freeDCtx(context) }

    /// Bytes that the context holds (`ZSTD_sizeof_DCtx`).
    public var memory: Int { ZSTD_sizeof_DCtx(context) }

    /// Decompresses whole frames, one after another, and verifies their checksums (`ZSTD_decompressDCtx`).
    ///
    /// - Parameters:
    ///   - content: room for the frames' decompressed bound.
    ///   - offset: where the first frame begins in the input, for errors.
    /// - Returns: the decompressed bytes.
    public mutating func decompress(
        _ frames: UnsafeRawBufferPointer, into content: UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(CodecFailure) -> Int {
        let code = ZSTD_decompressDCtx(
            context, content.baseAddress, content.count, frames.baseAddress, frames.count)
        return try checked(code, offset: offset)
    }

    /// Begins a frame that comes in parts.
    public mutating func begin() throws(CodecFailure) {
        try checked(ZSTD_DCtx_reset(context, ZSTD_reset_session_only))
        isFresh = true
    }

    /// Decompresses a part of one frame (`ZSTD_decompressStream`).
    ///
    /// - Parameters:
    ///   - part: on return, what was not taken yet.
    ///   - offset: where the frame begins in the input, for errors.
    /// - Returns: the bytes written to `content`, and whether everything that can be written now was.
    public mutating func stream(
        _ part: inout UnsafeRawBufferPointer, into content: UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(CodecFailure) -> (written: Int, isDone: Bool) {
        // With room for all its content libzstd would decode the frame in one go, and not keep to its window. zstd's command
        // never has more room than that.
        let room = isFresh ? min(content.count, ZSTD_DStreamOutSize()) : content.count
        isFresh = false
        var target = ZSTD_outBuffer(dst: content.baseAddress, size: room, pos: 0)
        var source = ZSTD_inBuffer(src: part.baseAddress, size: part.count, pos: 0)
        let left = try checked(ZSTD_decompressStream(context, &target, &source), offset: offset)
        part = UnsafeRawBufferPointer(rebasing: part.dropFirst(source.pos))
        return (target.pos, part.isEmpty && (left == 0 || target.pos < target.size))
    }

    private static func makeContext() throws(CodecFailure) -> OpaquePointer {
        guard let context = ZSTD_createDCtx() else { throw .outOfMemory }
        // `FrameScanner` has refused larger windows than are wanted; libzstd may take what is left.
        let largest = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound
        do {
            try checked(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, largest))
        } catch {
            ZSTD_freeDCtx(context)
            throw error
        }
        return context
    }
}
