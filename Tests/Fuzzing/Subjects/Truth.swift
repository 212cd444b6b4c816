internal import CZstd

/// What libzstd's own streaming decoder makes of bytes: what it accepts is a sequence of whole frames. But a content
/// size that is wrong, which it misses after an empty block, is refused, as by its decoder for whole frames.
enum Truth: Equatable {
    case content([UInt8])
    /// Why, and where the frame begins.
    case refused(String, at: Int)
    /// Nobody waits for it.
    case tooMuch

    /// How many bytes it gets at a time: a whole frame would be decoded in one go.
    private static let piece = 5

    /// - Parameter dictionary: what frames may refer to; nil for none.
    init(of bytes: some Collection<UInt8>, dictionary: [UInt8]? = nil) {
        guard let context = ZSTD_createDCtx() else {
            self = .tooMuch
            return
        }
        defer { ZSTD_freeDCtx(context) }
        if let dictionary { ZSTD_DCtx_loadDictionary(context, dictionary, dictionary.count) }
        self = Self.decode(Array(bytes), with: context)
    }

    /// What libzstd makes of whole frames in one go, where their windows take no memory: neither large ones, which its
    /// streaming decoder refuses, nor narrow ones, to which it keeps there; nil if it refuses them.
    static func inOneGo(_ bytes: [UInt8], dictionary: [UInt8]?) -> [UInt8]? {
        var content = [UInt8](repeating: 0, count: Subject.mostContent)
        guard let context = ZSTD_createDCtx() else { return nil }
        defer { ZSTD_freeDCtx(context) }
        let dictionary = dictionary ?? []
        let size = content.withUnsafeMutableBytes { content in
            ZSTD_decompress_usingDict(
                context, content.baseAddress, content.count, bytes, bytes.count, dictionary, dictionary.count)
        }
        return ZSTD_isError(size) != 0 ? nil : Array(content[..<size])
    }

    private static func decode(_ bytes: [UInt8], with context: OpaquePointer) -> Truth {
        var content: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 64 << 10)
        var (position, frame, left, start) = (0, 0, 0, 0)
        while true {
            let (code, taken, written) = bytes.withUnsafeBytes { bytes in
                room.withUnsafeMutableBytes { room in
                    var source = ZSTD_inBuffer(
                        src: bytes.baseAddress.map { $0 + position }, size: min(piece, bytes.count - position), pos: 0)
                    var target = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
                    let code = ZSTD_decompressStream(context, &target, &source)
                    return (code, source.pos, target.pos)
                }
            }
            if ZSTD_isError(code) != 0 { return .refused(String(cString: ZSTD_getErrorName(code)), at: frame) }
            content += room[..<written]
            if content.count > Subject.mostContent { return .tooMuch }
            position += taken
            left = code
            if left == 0, position > frame {
                let size = bytes[frame...].withUnsafeBytes { ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
                // Other numbers are unknown, or no frame.
                if size < UInt64(Subject.mostContent) * 2, size != UInt64(content.count - start) {
                    return .refused("its content has another size", at: frame)
                }
                (frame, start) = (position, content.count)
            }
            if position == bytes.count, written < room.count {
                return left == 0 ? .content(content) : .refused("it is cut", at: frame)
            }
        }
    }
}
