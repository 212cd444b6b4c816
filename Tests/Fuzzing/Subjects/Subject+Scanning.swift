internal import CZstd
internal import ZstdCodec

extension Subject {
    /// Frames end where libzstd sees their ends, however the bytes come.
    package static let scanning = Subject("scanning") { input in
        var bytes = input
        let size = 1 + Int(bytes.takeNumber(UInt8.self))
        let frames = Scan(Array(bytes), inPiecesOf: max(1, bytes.count), skips: false)
        for skips in [false, true] {
            let pieces = Scan(Array(bytes), inPiecesOf: size, skips: skips)
            try promise(pieces == frames, "in pieces of \(size) it is \(pieces), and as a whole \(frames)")
        }
        for frame in frames.ended {
            let rest = Array(bytes.dropFirst(Int(frame.offset)))
            let size = ZSTD_findFrameCompressedSize(rest, rest.count)
            // It refuses windows beyond what it knows.
            try promise(ZSTD_isError(size) != 0 || UInt64(size) == frame.compressedSize, "\(frame) has \(size) bytes")
        }
    }
}

/// What a scanner, with all its checks, says of bytes.
private struct Scan: Equatable {
    private(set) var ended: [FrameScanner.Frame] = []
    private(set) var failure: CodecFailure?
    private(set) var offset: UInt64 = 0

    init(_ bytes: [UInt8], inPiecesOf size: Int, skips: Bool) {
        var (scanner, audit) = (FrameScanner(), StreamEndCheck())
        do throws(CodecFailure) {
            var position = 0
            while position < bytes.count {
                if skips, scanner.bytesToSkip > 0 {
                    let count = Int(min(scanner.bytesToSkip, UInt64(bytes.count - position)))
                    position += count
                    if let frame = scanner.skip(UInt64(count)) { try note(frame, &audit) }
                    continue
                }
                let piece = bytes[position..<min(bytes.count, position + size)]
                let (scanned, frame) = try scanner.scan(piece.span.bytes)
                position += scanned
                if let frame { try note(frame, &audit) }
            }
            try scanner.finish()
            try audit.finish(at: scanner.offset)
        } catch {
            failure = error
        }
        // What is refused is refused where it is, however much of it has come.
        if failure == nil { offset = scanner.offset }
    }

    private mutating func note(_ frame: FrameScanner.Frame, _ audit: inout StreamEndCheck) throws(CodecFailure) {
        ended.append(frame)
        try audit.note(frame)
    }
}
