internal import ByteStreams
internal import ZstdCodec

/// Decodes frames and drops what comes out, to know whether they are whole: in pieces, whatever a frame holds.
final class FrameTrial {
    enum Outcome {
        /// The frame ended where its bytes do, with so much content, and with the right checksum if it has one.
        case whole(UInt64)
        /// Its bytes end before it, and up to there it has so much content.
        case cut(UInt64)
        case failed(String)
    }

    private static let pieceSize = 1 << 20

    private let file: DamagedFile
    private var decoder: FrameDecoder
    private let input: HeapMemory
    private let output: HeapMemory
    /// Bytes that were decoded, and came out.
    private(set) var work: UInt64 = 0

    init(_ file: DamagedFile, _ limits: DecodingLimits, _ dictionary: DecompressionDictionary?) throws(Failure) {
        self.file = file
        input = HeapMemory(try OutputBuffer.allocate(Self.pieceSize))
        output = HeapMemory(try OutputBuffer.allocate(Self.pieceSize))
        decoder = try FrameDecoder(limits: limits, dictionary: dictionary)
    }

    /// Bytes.
    var memory: Int { decoder.memory + 2 * Self.pieceSize }

    /// Tries the frame that these bytes of the file should be.
    ///
    /// - Parameter most: bytes of work after which it is given up.
    func prove(_ range: Range<UInt64>, most: UInt64) throws(Failure) -> Outcome {
        work = 0
        do throws(Failure) { return try decode(range, most: most) } catch {
            guard error.code == .codec else { throw error }
            return .failed(error.message)
        }
    }

    private func decode(_ range: Range<UInt64>, most: UInt64) throws(Failure) -> Outcome {
        decoder.begin(at: range.lowerBound)
        try decoder.beginFrame()
        var (next, content, hasEnded) = (range.lowerBound, UInt64(0), false)
        while next < range.upperBound, !hasEnded {
            let count = min(range.upperBound - next, UInt64(Self.pieceSize))
            try file.read(at: next, into: .init(rebasing: input.writable[..<Int(count)]))
            guard file.isLegible(next..<next + count) else { return .failed("it can't be read") }
            next += count
            var part = UnsafeRawBufferPointer(rebasing: input.bytes[..<Int(count)])
            var isDone = false
            while !isDone {
                let (written, isEnd, _) = try decoder.decode(&part, into: output.writable)
                hasEnded = isEnd
                isDone = hasEnded || part.isEmpty && written < output.count
                content += UInt64(written)
                work = next - range.lowerBound + content
                guard work <= most else { return .failed("too much looks like a frame here") }
            }
            guard part.isEmpty else { return .failed("it ends before its blocks do") }
        }
        return hasEnded && next == range.upperBound ? .whole(content) : .cut(content)
    }
}
