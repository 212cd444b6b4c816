internal import Glibc

/// Walks over the frames of a file by the headers of frames and blocks; the bytes between them are skipped, not read.
enum HeaderWalk {
    /// Bytes that are read for a single header, and for headers that stand close together.
    private static let reads = (single: 32, close: 64 << 10)
    /// Headers with less between them stand close together, in bytes.
    private static let near: UInt64 = 4 << 10

    /// Calls `body` with each frame, in the order of the file.
    ///
    /// - Returns: where the last frame ends, in bytes; zeros may follow.
    /// - Throws: `reading`, `sourceShrank`, what `body` throws, or `codec` if the file is no sequence of whole frames.
    static func run(
        over source: Source, _ body: (FrameScanner.Frame) throws(Failure) -> Void
    ) throws(Failure) -> UInt64 {
        try run(over: source) { ended, _ throws(Failure) in
            if let ended { try body(ended) }
            return true
        } ?? 0
    }

    /// The same, but calls `body` also with a frame that has begun, as far as it is known, and ends when `body` returns
    /// false: then the result is nil.
    static func run(
        over source: Source,
        while body: (_ ended: FrameScanner.Frame?, _ begun: FrameScanner.Frame?)
            throws(Failure) -> Bool
    ) throws(Failure) -> UInt64? {
        var (scanner, count) = (FrameScanner(ignoresZeros: source.ignoresZeros), reads.single)
        var buffer = [UInt8](repeating: 0, count: reads.close)
        let size = source.size ?? 0
        while true {
            let place = off_t(clamping: source.start + scanner.offset)
            let read = try Failure.reading(systemCall { pread(source.descriptor.rawValue, &buffer, count, place) })
            if read == 0 { break }
            var rest = buffer[..<read]
            while !rest.isEmpty {
                let (scanned, ended) = try codec(
                    rest.span.bytes.withUnsafeBytes { bytes throws(CodecFailure) in try scanner.scan(bytes) })
                rest = rest.dropFirst(scanned)
                guard try body(ended, scanner.current) else { return nil }
            }
            let skipped = min(scanner.bytesToSkip, size - min(size, scanner.offset))
            if let ended = scanner.skip(skipped) {
                guard try body(ended, nil) else { return nil }
            } else {
                count = skipped < near ? reads.close : reads.single
            }
        }
        if scanner.offset < size { throw .sourceShrank(expected: size, read: scanner.offset) }
        try codec(scanner.finish())
        return scanner.zerosOffset ?? scanner.offset
    }
}
