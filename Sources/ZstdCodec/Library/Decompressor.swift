internal import CZstd

/// One decompression context of libzstd (`ZSTD_DCtx`): memory that is kept from frame to frame.
package struct Decompressor: ~Copyable {
    private let context: OpaquePointer
    /// What the context refers to.
    private let dictionary: DecompressionDictionary?
    /// Bytes of the frame that were taken, as far as that matters: its header has no more than these.
    private var taken = 0
    /// Whether the frame that comes in parts has ended, as libzstd sees it.
    package private(set) var hasEnded = false

    /// - Parameters:
    ///   - dictionary: what frames may refer to.
    ///   - verifiesChecksums: whether a frame whose checksum is not its content's is an error.
    /// - Throws: `outOfMemory`.
    package init(dictionary: DecompressionDictionary? = nil, verifiesChecksums: Bool = true) throws(CodecFailure) {
        context = try Self.makeContext(dictionary, verifiesChecksums: verifiesChecksums)
        self.dictionary = dictionary
    }

    deinit { ZSTD_freeDCtx(context) }

    /// Bytes that the context holds (`ZSTD_sizeof_DCtx`).
    package var memory: Int { ZSTD_sizeof_DCtx(context) }

    /// Decompresses whole frames, one after another, and verifies their checksums (`ZSTD_decompressDCtx`).
    ///
    /// - Parameters:
    ///   - content: room for the frames' decompressed bound.
    ///   - offset: where the first frame begins in the input, for errors.
    /// - Returns: the decompressed bytes.
    package mutating func decompress(
        _ frames: UnsafeRawBufferPointer, into content: UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(CodecFailure) -> Int {
        try dictionary?.attachToFrame(of: context)
        let code = ZSTD_decompressDCtx(
            context, content.baseAddress, content.count, frames.baseAddress, frames.count)
        if ZSTD_getErrorCode(code) == ZSTD_error_dictionary_wrong {
            throw .needsDictionary(
                identifier: ZSTD_getDictID_fromFrame(frames.baseAddress, frames.count), offset: offset,
                given: dictionary?.identifier)
        }
        return try checked(code, offset: offset, hasDictionary: dictionary != nil)
    }

    /// Begins a frame that comes in parts.
    package mutating func begin() throws(CodecFailure) {
        try checked(ZSTD_DCtx_reset(context, ZSTD_reset_session_only))
        try dictionary?.attachToFrame(of: context)
        (taken, hasEnded) = (0, false)
    }

    /// Decompresses a part of one frame (`ZSTD_decompressStream`).
    ///
    /// - Parameters:
    ///   - part: on return, what was not taken yet.
    ///   - offset: where the frame begins in the input, for errors.
    /// - Returns: the bytes written to `content`, and whether everything that can be written now was.
    package mutating func stream(
        _ part: inout UnsafeRawBufferPointer, into content: UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(CodecFailure) -> (written: Int, isDone: Bool) {
        var target = ZSTD_outBuffer(dst: content.baseAddress, size: content.count, pos: 0)
        while true {
            // The header byte by byte: with the whole frame behind it libzstd would decode that in one go, without
            // keeping to its window, and from the wrong place if the header's first bytes came in an earlier call.
            let count = taken < FrameHeader.mostBytes ? min(1, part.count) : part.count
            var source = ZSTD_inBuffer(src: part.baseAddress, size: count, pos: 0)
            let left = try checked(
                ZSTD_decompressStream(context, &target, &source), offset: offset, hasDictionary: dictionary != nil)
            part = UnsafeRawBufferPointer(rebasing: part.dropFirst(source.pos))
            taken = min(FrameHeader.mostBytes, taken + source.pos)
            hasEnded = left == 0
            if hasEnded || part.isEmpty || target.pos == target.size || source.pos == 0 {
                return (target.pos, part.isEmpty && (hasEnded || target.pos < target.size))
            }
        }
    }

    /// Compares the checksum of a frame's content, which somebody else made, with the one at the frame's end.
    ///
    /// - Throws: what `stream` throws if it verifies the checksum itself.
    package func check(_ checksum: UInt32, against stored: UInt32, offset: UInt64) throws(CodecFailure) {
        if checksum != stored { throw .wrongChecksum(offset: offset, hasDictionary: dictionary != nil) }
    }

    private static func makeContext(
        _ dictionary: DecompressionDictionary?, verifiesChecksums: Bool
    ) throws(CodecFailure) -> OpaquePointer {
        guard let context = ZSTD_createDCtx() else { throw .outOfMemory }
        // Who decodes has checked the window by `DecodingLimits`; libzstd, which has a limit of its own, takes what
        // passed.
        let largest = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound
        do {
            try checked(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, largest))
            // `ZSTD_d_forceIgnoreChecksum`, which has this name in the stable interface.
            if !verifiesChecksums { try checked(ZSTD_DCtx_setParameter(context, ZSTD_d_experimentalParam3, 1)) }
            try dictionary?.attach(to: context)
        } catch {
            ZSTD_freeDCtx(context)
            throw error
        }
        return context
    }
}
