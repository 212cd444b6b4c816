internal import CZstd

/// What libzstd makes of one frame that it gets in one piece, and not its content in one call; nil if it refuses the
/// frame. The checksum is not compared.
public func decodedByLibrary(_ frame: [UInt8]) -> [UInt8]? {
    guard let context = ZSTD_createDCtx() else { return nil }
    defer { ZSTD_freeDCtx(context) }
    // `ZSTD_d_forceIgnoreChecksum`.
    ZSTD_DCtx_setParameter(context, ZSTD_d_experimentalParam3, 1)
    var content: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    return frame.withUnsafeBytes { frame in
        var source = ZSTD_inBuffer(src: frame.baseAddress, size: frame.count, pos: 0)
        while true {
            let before = source.pos
            let (code, count) = piece.withUnsafeMutableBytes { piece in
                var target = ZSTD_outBuffer(dst: piece.baseAddress, size: piece.count, pos: 0)
                return (ZSTD_decompressStream(context, &target, &source), target.pos)
            }
            if ZSTD_isError(code) != 0 { return nil }
            content += piece[..<count]
            if code == 0 { return source.pos == frame.count ? content : nil }
            if source.pos == before, count == 0 { return nil }
        }
    }
}
