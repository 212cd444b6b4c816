/// What the headers of a compressed file say, without decompressing it.
package struct Listing: Equatable, Sendable {
    /// Frames with content.
    package var frames = 0
    /// Frames without content.
    package var skippableFrames = 0
    /// Bytes of the file.
    package var compressedSize: UInt64 = 0
    /// Decompressed bytes; nil unless every frame states its content size.
    package var contentSize: UInt64? = 0
    /// Bytes of the largest window of a frame.
    package var largestWindow: UInt64 = 0
    /// Bytes of the last frame's window, which zstd shows.
    package var lastWindow: UInt64 = 0
    /// Whether every frame ends in a checksum.
    package var hasChecksums = true
    /// Whether any frame ends in a checksum.
    package var hasAnyChecksum = false
    /// The low 32 bits of the content's XXH64, if there is a single frame with a checksum.
    package var checksum: UInt32?
    /// The dictionary that all frames name; 0 if they name none, or several.
    package var dictionaryIdentifier: UInt32 = 0
    /// Whether a seek table ends the file.
    package var hasSeekTable = false

    /// Bytes of the file that are parity; 0 if it has none.
    package var paritySize: UInt64 = 0

    /// Where the last frame has its checksum, if it has one.
    private var checksumOffset: UInt64 = 0

    /// The sum for two files.
    package static func + (first: Listing, second: Listing) -> Listing {
        var sum = first
        sum.frames += second.frames
        sum.skippableFrames += second.skippableFrames
        // Two sparse files may be so large that the sum overflows.
        sum.compressedSize = first.compressedSize.addingClamped(second.compressedSize)
        sum.contentSize = Self.add(first.contentSize, second.contentSize)
        sum.largestWindow = max(first.largestWindow, second.largestWindow)
        sum.lastWindow = second.lastWindow
        sum.hasAnyChecksum = first.hasAnyChecksum || second.hasAnyChecksum
        sum.checksum = nil
        if first.dictionaryIdentifier != second.dictionaryIdentifier { sum.dictionaryIdentifier = 0 }
        sum.hasChecksums = first.hasChecksums && second.hasChecksums
        sum.hasSeekTable = first.hasSeekTable && second.hasSeekTable
        sum.paritySize = first.paritySize.addingClamped(second.paritySize)
        return sum
    }

    private static func add(_ one: UInt64?, _ other: UInt64?) -> UInt64? {
        guard let one, let other else { return nil }
        let (sum, overflow) = one.addingReportingOverflow(other)
        return overflow ? nil : sum
    }

    /// The listing of an empty file.
    package init() {}

    /// Reads the headers of a regular file, from its descriptor's position: those of frames if a credible seek table
    /// lists them, otherwise those of all blocks.
    ///
    /// - Throws: `reading`, `codec` if the file isn't a sequence of frames, `foreign` if it is in another known format.
    package init(of source: Source) throws(Failure) {
        try CompressedInput(source).refuseForeign()
        if let listing = try Listing(bySeekTableOf: source) { self = listing } else { try readBlocks(of: source) }
        if frames == 1, hasChecksums, let bytes = try source.bytes(at: checksumOffset, count: 4) {
            checksum = UInt32(littleEndianBytes: bytes)
        }
    }

    /// Reads all of a stream, for the headers of its blocks.
    ///
    /// - Throws: as for a file.
    package init(reading stream: any ByteSource) throws(Failure) {
        let frames = try StreamedFrames(stream)
        var (walk, audit) = (FrameWalk(over: frames), StreamEndCheck())
        do throws(Failure) {
            while let step = try walk.next() {
                if let flaw = step.flaw { throw .codec(flaw) }
                try note(step.frame, &audit)
                checksum = frames.ending(at: step.frame.offset + step.frame.compressedSize)
            }
            try codec(audit.finish(at: walk.end))
        } catch {
            guard let format = ForeignFormat(magic: frames.start) else { throw error }
            throw .foreign(format.isRead ? .notListed(format) : .notRead(format))
        }
        compressedSize = walk.end
        if self.frames != 1 || !hasChecksums { checksum = nil }
    }

    private mutating func readBlocks(of source: Source) throws(Failure) {
        var (walk, audit) = (try FrameWalk(over: source, readsAll: source.ranges != nil), StreamEndCheck())
        while let frame = try walk.nextWhole() { try note(frame, &audit) }
        try codec(audit.finish(at: walk.end))
        compressedSize = walk.end
    }

    mutating func note(_ frame: FrameScanner.Frame, _ audit: inout StreamEndCheck) throws(Failure) {
        try codec(audit.note(frame))
        hasSeekTable = frame.isSeekTable
        guard let header = frame.header else {
            skippableFrames += 1
            return
        }
        if frames > 0, dictionaryIdentifier != header.dictionaryIdentifier { dictionaryIdentifier = 0 }
        if frames == 0 { dictionaryIdentifier = header.dictionaryIdentifier }
        frames += 1
        checksumOffset = frame.offset + frame.compressedSize - 4
        lastWindow = header.windowSize
        hasAnyChecksum = hasAnyChecksum || header.hasChecksum
        largestWindow = max(largestWindow, header.windowSize)
        hasChecksums = hasChecksums && header.hasChecksum
        contentSize = Self.add(contentSize, header.contentSize)
    }
}

/// Lists a file by the seek table at its end and the first bytes of frames; nothing between them is read.
///
/// The table must be credible (`Source.confirm`), with a few hundred more frames checked, so that a file of terabytes
/// is listed at once; and a stream header must be followed by one table, at the end. Otherwise (a file that was cut,
/// continued or concatenated, or whose frames don't state their sizes), the headers of all blocks are read. Sizes are
/// what headers claim; `-t` checks whether they are true.
extension Listing {
    /// If frames are smaller than this on average, in bytes, reading everything is as fast.
    private static let smallestFrames: UInt64 = 64 << 10

    /// Nil if there is no table, or it isn't credible.
    ///
    /// - Parameter samples: the number of frames that are checked if all content sizes are equal, or up to twice that.
    init?(bySeekTableOf source: Source, samples: Int = 256) throws(Failure) {
        let (input, isRemote) = (CompressedInput(source), source.ranges != nil)
        guard let size = source.size,
            let (table, encoded) = try input.seekTable(
                most: isRemote ? .max : size / Self.smallestFrames * 12 + 64)
        else { return nil }
        self.init()
        var audit = StreamEndCheck()
        let verdict = try input.confirm(table, SeekTableProbes(places: isRemote ? 0 : samples, seesKinds: isRemote)) {
            frame in
            (try? note(frame, &audit)) != nil
        }
        guard case .credible = verdict else { return nil }
        if isRemote {
            // Of frames of many sizes, not each header was read.
            frames = table.entries.count { $0.decompressedSize > 0 }
            skippableFrames = table.entries.count - frames
            contentSize = table.decompressedSize
        }
        let offset = table.compressedSize
        var scanner = FrameScanner(offset: offset)
        guard let ended = try? scanner.scan(encoded.span.bytes).ended, case .seekTable = ended.annotation,
            (try? note(ended, &audit)) != nil,
            (try? audit.finish(at: scanner.offset)) != nil
        else { return nil }
        compressedSize = scanner.offset
    }
}
