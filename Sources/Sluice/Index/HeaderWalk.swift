internal import SystemPackage
internal import ZstdCodec

/// The frames of a file by the headers of their blocks: what lies between those is skipped, not read.
enum HeaderWalk {
    /// Calls `body` with each frame, in the order of the file, from where its descriptor stands.
    ///
    /// - Returns: where the last frame ends, in bytes.
    /// - Throws: `reading`, `sourceShrank`, what `body` throws, or `codec` where the file is no sequence of whole
    ///   frames.
    static func run(
        over source: Source, _ body: (FrameScanner.Frame) throws(Failure) -> Void
    ) throws(Failure) -> UInt64 {
        var scanner = FrameScanner()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let size = source.size ?? 0
        while true {
            let count = try Failure.reading { () throws(Errno) in
                try source.descriptor.fill(&buffer, atLeast: 1, from: source.start + scanner.offset)
            }
            if count == 0, scanner.offset < size { throw .sourceShrank(expected: size, read: scanner.offset) }
            if count == 0 { break }
            try scan(buffer.prefix(count), &scanner, body)
            let skipped = min(scanner.bytesToSkip, size - min(size, scanner.offset))
            let ended = try codec { () throws(CodecFailure) in try scanner.skip(skipped) }
            if let ended { try body(ended) }
        }
        try codec { () throws(CodecFailure) in try scanner.finish() }
        return scanner.offset
    }

    private static func scan(
        _ bytes: ArraySlice<UInt8>, _ scanner: inout FrameScanner,
        _ body: (FrameScanner.Frame) throws(Failure) -> Void
    ) throws(Failure) {
        var rest = bytes
        while !rest.isEmpty {
            let (scanned, ended) = try codec { () throws(CodecFailure) in
                try rest.span.bytes.withUnsafeBytes { bytes throws(CodecFailure) in try scanner.scan(bytes) }
            }
            rest = rest.dropFirst(scanned)
            if let ended { try body(ended) }
        }
    }
}
