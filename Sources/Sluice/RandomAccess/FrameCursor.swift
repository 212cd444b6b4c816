internal import ByteStreams
internal import ZstdCodec

/// Decodes one large frame forward, piece by piece, and remembers how far it came: who reads on does not begin anew.
struct FrameCursor: ~Copyable {
    private static let pieceSize = 1 << 20

    private let position: Int
    private let entry: FrameIndex.Entry
    private let source: Source
    private var decoder: SegmentDecoder
    private let input: OutputBuffer
    private let output: OutputBuffer
    /// Bytes in `input` that were not decoded yet, and where the next ones are in the file.
    private var rest = 0..<0
    private var next: UInt64
    /// Bytes of the content that are in `output`.
    private var piece: Range<UInt64>

    /// - Parameter position: the place of the entry in the index.
    init(
        _ position: Int, _ entry: FrameIndex.Entry, _ source: Source, _ decompression: Decompression
    ) throws(Failure) {
        // All that may throw comes first: nothing has to be taken apart again.
        var decoder = try SegmentDecoder(limits: decompression.limits, dictionary: decompression.dictionary)
        decoder.begin(at: entry.input.lowerBound)
        let input = try OutputBuffer(capacity: Self.pieceSize)
        let output = try OutputBuffer(capacity: Self.pieceSize)
        self.decoder = decoder
        self.input = input
        self.output = output
        (self.position, self.entry, self.source) = (position, entry, source)
        (next, piece) = (entry.input.lowerBound, entry.content.lowerBound..<entry.content.lowerBound)
    }

    /// How much it has to decode to reach a place, in bytes; nil if it has passed over it, or is in another frame.
    func distance(to offset: UInt64, in position: Int) -> UInt64? {
        position == self.position && offset >= piece.lowerBound ? offset - piece.lowerBound : nil
    }

    /// Adds bytes of the content to those that were read.
    mutating func read(_ wanted: Range<UInt64>, _ bytes: inout [UInt8]) throws(Failure) {
        var wanted = wanted
        while !wanted.isEmpty {
            let here = wanted.clamped(to: piece)
            if here.isEmpty {
                try advance()
                continue
            }
            let (first, last) = (here.lowerBound - piece.lowerBound, here.upperBound - piece.lowerBound)
            bytes += output.memory[Int(first)..<Int(last)]
            wanted = here.upperBound..<wanted.upperBound
        }
    }

    /// Decodes the next piece.
    private mutating func advance() throws(Failure) {
        if rest.isEmpty {
            let end = min(next + UInt64(Self.pieceSize), entry.input.upperBound)
            rest = 0..<Int(end - next)
            try source.range(next..<end).read(into: UnsafeMutableRawBufferPointer(rebasing: input.memory[rest]))
            next = end
        }
        var part = UnsafeRawBufferPointer(rebasing: input.memory[rest])
        let isLast = next == entry.input.upperBound
        let (written, isDone) = try decoder.step(&part, into: output.memory, isLast: isLast)
        rest = rest.upperBound - part.count..<rest.upperBound
        piece = piece.upperBound..<piece.upperBound + UInt64(written)
        if written == 0, isDone, isLast {
            let reason = "the index of the frames is wrong, it holds less than \(entry.content.count) bytes"
            throw .codec(.corrupt(reason: reason, offset: entry.input.lowerBound))
        }
    }
}
