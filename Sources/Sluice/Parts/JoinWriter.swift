internal import ByteStreams
internal import ZstdCodec

/// Writes the file that parts make, one part after the other: their frames, moved within the kernel where it can, the
/// stream header and the seek table.
package struct JoinWriter {
    /// So many bytes are moved before somebody asks whether to go on.
    private static let pieceSize: UInt64 = 64 << 20

    private let latch: FailureLatch
    private let monitor: Monitor?
    private let isVerifying: Bool
    private var envelope: StreamEnvelope
    private var copy: FileCopy

    /// - Parameters:
    ///   - sink: where the file begins.
    ///   - latch: ends the run between two pieces, from elsewhere.
    ///   - monitor: who is told of what is moved.
    ///   - isVerifying: whether all bytes of parts are read, and compared with the checksums of their cards.
    package init(
        _ parts: PartSet, to sink: Sink, latch: FailureLatch, monitor: Monitor? = nil, isVerifying: Bool = false
    ) {
        let making = parts.making
        envelope = StreamEnvelope(
            StreamHeader(frameSize: making.frameSize, level: making.level), hasChecksums: making.hasChecksums,
            placement: FrameAlignment(making.alignment == 0 ? nil : Int(making.alignment)))
        copy = FileCopy(to: sink.descriptor)
        self.latch = latch
        self.monitor = monitor
        self.isVerifying = isVerifying
    }

    /// Bytes that were written.
    package var written: UInt64 { copy.written }

    /// Adds the next part, in the order of the set.
    ///
    /// - Parameter source: the part, opened once more.
    /// - Throws: `part` if it changed; `reading`, `writing`, `cancelled`.
    package mutating func append(_ part: Part, from source: Source) throws(Failure) {
        guard source.identity.isUnchanged(since: part.identity) else { throw .part(.changed, part.name) }
        let checksum = isVerifying ? try FramesChecksum() : nil
        var (start, end, placement) = (UInt64(0), UInt64(0), part.card.placement)
        for entry in part.card.entries {
            // What goes in front of a frame goes behind all that is before it; what the part has there stays away.
            let (header, filling) = (envelope.append(entry), placement.place(UInt64(entry.compressedSize)))
            if !header.isEmpty || filling > 0 {
                try move(start..<end, of: part, source, checksum)
                try copy.append(header)
                start = end + UInt64(filling)
            }
            end = placement.position
        }
        try move(start..<end, of: part, source, checksum)
        guard let now = try? FileIdentity(source.descriptor), now.isUnchanged(since: part.identity) else {
            throw .part(.changed, part.name)
        }
        if let checksum, checksum.value != part.card.checksum { throw .part(.otherBytes, part.name) }
    }

    /// Ends the file, behind its last part.
    ///
    /// - Throws: `writing`, `cancelled`.
    package mutating func finish() throws(Failure) {
        try latch.check()
        try copy.append(envelope.trailer())
    }

    private mutating func move(
        _ range: Range<UInt64>, of part: Part, _ source: Source, _ checksum: FramesChecksum?
    ) throws(Failure) {
        var rest = range
        while !rest.isEmpty {
            try latch.check()
            let (count, start) = (min(Self.pieceSize, rest.upperBound - rest.lowerBound), Span.now())
            let moved = try copy.append(
                from: source.descriptor, at: rest.lowerBound, most: count, look: checksum?.append)
            if moved == 0 { throw .part(.changed, part.name) }
            for stage in [Span.Stage.read, .order, .write] {
                monitor?.record(
                    Span(stage: stage, bytes: Int(moved), source: Int(moved), start: start, end: Span.now()))
            }
            monitor?.didDeliver(Delivery(source: Int(moved), made: Int(moved)), isWriting: false)
            rest = rest.lowerBound + moved..<rest.upperBound
        }
    }
}
