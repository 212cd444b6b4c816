internal import CZstd

/// Beginnings within a frame, in the state that libzstd would have had there.
extension Decompressor {
    /// Where the content of a frame lies in the buffer of libzstd (`ZSTD_decompressStream`), which begins at its start
    /// again when it has no room for a block. How far back a match may reach, and which of libzstd's loops decodes it,
    /// depends on that.
    package struct Ring {
        /// The size of the buffer in bytes.
        let size: UInt64
        /// The place of the next block, and that of the end before the buffer began again; 0 if it never has.
        let place, lap: UInt64

        package init(size: UInt64, place: UInt64, lap: UInt64) {
            (self.size, self.place, self.lap) = (size, place, lap)
        }
    }

    /// The size of libzstd's buffer for the content of a frame in bytes; nil if it has room for all of that.
    package static func ringSize(of header: FrameHeader) -> UInt64? {
        let known = UInt64(sluice_size_of_ring(header.windowSize))
        // What 1.5.1 to 1.5.7 take: also for literals, and to copy more than was asked for.
        let size = known > 0 ? known : header.windowSize + UInt64(header.blockLimit) + (128 << 10) + 64
        return header.contentSize.map { $0 <= size } == true ? nil : size
    }

    /// Decodes blocks of the streamed frame, and discards their content.
    ///
    /// - Parameters:
    ///   - count: the bytes of content that they have.
    ///   - frame: on return, the bytes not consumed yet.
    ///   - scratch: memory for the content.
    package mutating func skip(
        _ count: UInt64, of frame: inout RawSpan, scratch: UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(CodecFailure) {
        var left = count
        while left > 0 {
            let room = UnsafeMutableRawBufferPointer(rebasing: scratch.prefix(Int(clamping: left)))
            let written = try stream(&frame, into: room, offset: offset).written
            if written == 0, frame.isEmpty || hasEnded { throw .damagedContent(offset: offset) }
            left -= UInt64(written)
        }
    }

    /// The most bytes that libzstd may overwrite in its buffer after the start of a block, besides the content: it puts
    /// the literals of a large block where the end of the block may come, and copies more than was asked for. A match
    /// that reaches far enough beyond the window finds what is left of that.
    package static let strayBytes = UInt64(FrameFormat.maximumBlockSize) + 64

    /// Brings a streamed frame that has just begun between two of its blocks, to the state that the preceding blocks
    /// would have left, but for stray bytes: those are right again after `strayBytes` of content.
    ///
    /// libzstd can only get that state by decoding a frame. The one made for it goes four times round libzstd's buffer:
    /// the first time so that matches of `blocks` have content to refer to, then with these blocks, and twice with the
    /// content, at the places where it would be.
    ///
    /// - Parameters:
    ///   - header: the frame's header.
    ///   - content: the preceding content, as far back as the window reaches or more.
    ///   - ring: where it lies.
    ///   - blocks: compressed blocks that set the tables and the repeated offsets.
    ///   - scratch: memory for output that is discarded.
    package mutating func restore(
        _ header: FrameHeader, after content: UnsafeRawBufferPointer, at ring: Ring, restoring blocks: [UInt8],
        scratch: UnsafeMutableRawBufferPointer, offset: UInt64
    ) throws(CodecFailure) {
        try drop(header.withoutSizes(window: header.windowSize), scratch, offset)
        let limit = UInt64(header.blockLimit)
        // Up to this place there is room for one more block.
        let roomy = ring.size - limit
        var filling = Filling(past: UnsafeRawBufferPointer(start: nil, count: 0), total: 0)
        try drop(&filling, 0..<roomy + 1, roomy, limit, scratch, offset)
        let count = try drop(blocks, scratch, offset)
        try drop(&filling, UInt64(count)..<roomy + 1, roomy, limit, scratch, offset)
        filling = Filling(past: content, total: ring.lap + ring.place)
        try drop(&filling, 0..<ring.lap, roomy, limit, scratch, offset)
        try drop(&filling, 0..<ring.place, roomy, limit, scratch, offset)
    }

    /// Content that ends with `past`, and consists of zeros before that.
    private struct Filling {
        private let past: UnsafeRawBufferPointer
        private var zeros: UInt64

        init(past: UnsafeRawBufferPointer, total: UInt64) {
            self.past = UnsafeRawBufferPointer(rebasing: past.suffix(Int(clamping: total)))
            zeros = total == 0 ? .max : total - UInt64(self.past.count)
        }

        private var position = 0

        /// The next bytes as a raw block (RFC 8878, 3.1.1.2).
        mutating func block(_ count: Int) -> [UInt8] {
            let header = count << 3
            var bytes = [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16)]
            let zeroCount = Int(min(zeros, UInt64(count)))
            bytes += [UInt8](repeating: 0, count: zeroCount)
            bytes += past[position..<position + count - zeroCount]
            zeros -= UInt64(zeroCount)
            position += count - zeroCount
            return bytes
        }
    }

    /// Decodes raw blocks to these places of the buffer. Only the last leaves no room for another, after which the
    /// buffer begins again.
    private mutating func drop(
        _ filling: inout Filling, _ places: Range<UInt64>, _ roomy: UInt64, _ limit: UInt64,
        _ scratch: UnsafeMutableRawBufferPointer, _ offset: UInt64
    ) throws(CodecFailure) {
        var place = places.lowerBound
        while place < places.upperBound {
            let next = place < roomy ? min(place + limit, roomy, places.upperBound) : places.upperBound
            try drop(filling.block(Int(next - place)), scratch, offset)
            place = next
        }
    }

    /// Decodes bytes of the frame, and discards the content.
    ///
    /// - Returns: the bytes of content.
    @discardableResult
    private mutating func drop(
        _ bytes: [UInt8], _ scratch: UnsafeMutableRawBufferPointer, _ offset: UInt64
    ) throws(CodecFailure) -> Int {
        var rest = bytes.span.bytes
        var (count, isDone) = (0, false)
        while !isDone {
            let written: Int
            (written, isDone) = try stream(&rest, into: scratch, offset: offset)
            count += written
        }
        return count
    }
}
