internal import ZstdCodec

/// Where a frame lies, as the seek table or the headers say.
package struct ListedFrame: Equatable, Sendable {
    /// The most frames that are listed one by one.
    package static let most = 1 << 22

    /// Of the frame in the file, in bytes.
    package let offset: UInt64
    package let size: UInt64
    /// Of its content, in bytes; nil behind a frame that does not state the size of its content.
    package let contentOffset: UInt64?
    /// Bytes; 0 for a skippable frame, nil if the frame does not state it.
    package let contentSize: UInt64?
    /// The low 32 bits of XXH64 of the content; nil if there is none.
    package let checksum: UInt32?

    /// The frames of a file, but for the seek table: from that, if it is credible, otherwise from the headers of all
    /// blocks.
    ///
    /// - Throws: as a `Listing`; `tooManyFrames` for more than four million.
    package static func all(of source: Source) throws(Failure) -> [ListedFrame] {
        let input = CompressedInput(source)
        try input.refuseForeign()
        if let (table, _) = try input.seekTable() {
            let isRemote = source.ranges != nil
            let checks = SeekTableProbes(places: isRemote ? 0 : 256, seesKinds: isRemote)
            if case .credible = try input.confirm(table, checks) {
                if table.entries.count > most { throw .codec(.tooManyFrames) }
                return frames(of: table)
            }
        }
        return try walk(over: source)
    }

    private static func frames(of table: SeekTable) -> [ListedFrame] {
        var (offset, content) = (UInt64(0), UInt64(0))
        return table.entries.map { entry in
            let (size, count) = (UInt64(entry.compressedSize), UInt64(entry.decompressedSize))
            defer { (offset, content) = (offset + size, content + count) }
            let checksum = table.hasChecksums && count > 0 ? entry.checksum : nil
            return ListedFrame(
                offset: offset, size: size, contentOffset: content, contentSize: count, checksum: checksum)
        }
    }

    private static func walk(over source: Source) throws(Failure) -> [ListedFrame] {
        var (frames, content, audit) = ([ListedFrame](), UInt64?(0), StreamEndCheck())
        var walk = try FrameWalk(over: source, readsAll: source.ranges != nil)
        while let frame = try walk.nextWhole() {
            try codec(audit.note(frame))
            if frame.isSeekTable { continue }
            if frames.count == most { throw .codec(.tooManyFrames) }
            let count = frame.header.map(\.contentSize) ?? 0
            var checksum = frame.checksum
            if checksum == nil, frame.header?.hasChecksum == true {
                let bytes = try source.bytes(at: frame.offset + frame.compressedSize - 4, count: 4)
                checksum = bytes.map { UInt32(littleEndianBytes: $0) }
            }
            frames.append(
                ListedFrame(
                    offset: frame.offset, size: frame.compressedSize, contentOffset: content, contentSize: count,
                    checksum: checksum))
            content = content.flatMap { offset in count.map { offset.addingClamped($0) } }
        }
        try codec(audit.finish(at: walk.end))
        return frames
    }
}
