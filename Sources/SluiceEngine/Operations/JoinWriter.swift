/// Joins parts to a file, one after the other: their frames, copied within the kernel if possible, a stream header and
/// a seek table.
package struct JoinWriter {
    /// Bytes that are copied before the latch is checked again.
    static let copySize: UInt64 = 64 << 20

    private let latch: FailureLatch
    private let monitor: Monitor?
    private let isVerifying: Bool
    private var envelope: StreamEnvelope
    private var copy: FileCopy

    /// - Parameters:
    ///   - latch: ends the run, from elsewhere.
    ///   - isVerifying: whether all bytes of parts are read, and compared with the checksums of their trailers.
    package init(
        _ parts: PartSet, to sink: Sink, latch: FailureLatch, monitor: Monitor? = nil, isVerifying: Bool = false
    ) throws(Failure) {
        let parameters = parts.parameters
        envelope = StreamEnvelope(
            StreamHeader(frameSize: parameters.frameSize, level: parameters.level),
            hasChecksums: parameters.hasChecksums,
            placement: parameters.placement)
        copy = FileCopy(to: try sink.requireDescriptor())
        (self.latch, self.monitor, self.isVerifying) = (latch, monitor, isVerifying)
    }

    package var written: UInt64 { copy.written }

    /// Adds the next part, in the order of the set.
    ///
    /// - Parameter source: the part, opened once more.
    /// - Throws: `part` if it changed; `reading`, `writing`, `cancelled`.
    package mutating func append(_ part: Part, from source: Source) throws(Failure) {
        guard source.identity.isUnchanged(since: part.identity) else { throw .part(.changed, part.name) }
        let checksum = isVerifying ? Locked(try codec(ContentChecksum())) : nil
        var (start, end, placement) = (UInt64(0), UInt64(0), part.trailer.parameters.placement)
        for entry in part.trailer.entries {
            // The filling before a frame is what this file needs, not that of the part.
            let (header, filling) = (envelope.append(entry), placement.place(UInt64(entry.compressedSize)))
            if !header.isEmpty || filling > 0 {
                try copyRange(start..<end, of: part, source, checksum)
                try copy.append(header[...])
                start = end + UInt64(filling)
            }
            end = placement.position
        }
        try copyRange(start..<end, of: part, source, checksum)
        guard let now = source.currentIdentity, now.isUnchanged(since: part.identity) else {
            throw .part(.changed, part.name)
        }
        if let checksum, checksum.withLock({ $0.wholeValue }) != part.trailer.checksum {
            throw .part(.otherBytes, part.name)
        }
    }

    /// Ends the file, after its last part.
    ///
    /// - Throws: `writing`, `cancelled`.
    package mutating func finish() throws(Failure) {
        try latch.check()
        try copy.append(envelope.trailer()[...])
    }

    private mutating func copyRange(
        _ range: Range<UInt64>, of part: Part, _ source: Source, _ checksum: Locked<ContentChecksum>?
    ) throws(Failure) {
        let look = checksum.map { checksum in { bytes in checksum.withLock { $0.append(bytes) } } }
        var rest = range
        while !rest.isEmpty {
            try latch.check()
            let (count, start) = (min(Self.copySize, rest.upperBound - rest.lowerBound), StageSpan.now())
            let moved = try copy.append(from: source.requireDescriptor(), at: rest.lowerBound, most: count, look: look)
            if moved == 0 { throw .part(.changed, part.name) }
            for stage in [StageSpan.Stage.read, .order, .write] {
                monitor?.record(StageSpan(stage: stage, bytes: Int(moved), source: Int(moved), start: start))
            }
            monitor?.didDeliver(Delivery(source: Int(moved), made: Int(moved)), isWriting: false)
            rest = rest.lowerBound + moved..<rest.upperBound
        }
    }
}
