extension FrameIndex {
    /// Verifies that entries are whole frames that can hold their content, and adds checksums that only the seek table
    /// has.
    ///
    /// - Parameters:
    ///   - bytes: those of the entries.
    ///   - entries: their positions.
    /// - Returns: the frames.
    /// - Throws: `codec`.
    func check(_ bytes: Bytes, of entries: Range<Int>, _ limits: DecodingLimits) throws(Failure) -> Bytes {
        var (rest, checked) = (bytes, Bytes())
        for position in entries {
            let frame = rest.removeFirst(self[position].input.count)
            var check = EntryCheck(self, at: position, limits)
            try frame.forEachRegion { region throws(Failure) in
                try codec(check.scan(region))
            }
            checked.append(try codec(check.finish()).map(frame.withChecksum) ?? frame)
        }
        return checked
    }

    /// The same for one entry in memory, which is copied only if a checksum is added.
    func check(
        _ frames: UnsafeRawBufferPointer, ofEntry position: Int, _ limits: DecodingLimits
    ) throws(Failure) -> ChunkMemory {
        var check = EntryCheck(self, at: position, limits)
        try codec(check.scan(frames))
        guard let checksum = try codec(check.finish()) else { return .region(frames) }
        return .bytes(Bytes(frames).withChecksum(checksum))
    }
}

extension Bytes {
    /// The frame with a checksum at its end, for libzstd to verify.
    fileprivate func withChecksum(_ checksum: UInt32) -> Bytes {
        var rest = self
        var start = rest.removeFirst(FrameHeader.checksumFlag.byte + 1).elements
        start[FrameHeader.checksumFlag.byte] |= FrameHeader.checksumFlag.mask
        var end: [UInt8] = []
        end.appendLittleEndian(checksum)
        return Bytes(joining: [Bytes(start), rest, Bytes(end)])
    }
}
