internal import ForeignCodec
internal import Glibc
internal import SystemPackage
internal import ZstdCodec

/// What a compressed file holds, as its headers tell, without decompressing it.
package struct Listing: Equatable, Sendable {
    /// Frames with content.
    package var frames = 0
    /// Frames that are no content.
    package var skippableFrames = 0
    /// Bytes of the file.
    package var compressedSize: UInt64 = 0
    /// Bytes, if every frame says its own.
    package var contentSize: UInt64? = 0
    /// Bytes of memory that the frame with the largest window asks of who decompresses it.
    package var largestWindow: UInt64 = 0
    /// Bytes of the window of the last frame, which is the one that zstd shows.
    package var lastWindow: UInt64 = 0
    /// Whether every frame ends in a checksum.
    package var hasChecksums = true
    /// Whether any frame does.
    package var hasAnyChecksum = false
    /// What ends the only frame, if there is one and it has a checksum: the low 32 bits of XXH64 of its content.
    package var checksum: UInt32?
    /// The dictionary that all the frames name; 0 if they name none, or several.
    package var dictionaryIdentifier: UInt32 = 0
    /// Whether a seek table ends the file.
    package var hasSeekTable = false

    /// Where the checksum of the last frame is, if it has one.
    private var checksumOffset: UInt64 = 0

    /// What two files hold together.
    package static func + (first: Listing, second: Listing) -> Listing {
        var sum = first
        sum.frames += second.frames
        sum.skippableFrames += second.skippableFrames
        sum.compressedSize += second.compressedSize
        sum.contentSize = first.contentSize.flatMap { one in
            second.contentSize.flatMap { other in
                let (size, overflow) = one.addingReportingOverflow(other)
                return overflow ? nil : size
            }
        }
        sum.largestWindow = max(first.largestWindow, second.largestWindow)
        sum.lastWindow = second.lastWindow
        sum.hasAnyChecksum = first.hasAnyChecksum || second.hasAnyChecksum
        sum.checksum = nil
        if first.dictionaryIdentifier != second.dictionaryIdentifier { sum.dictionaryIdentifier = 0 }
        sum.hasChecksums = first.hasChecksums && second.hasChecksums
        sum.hasSeekTable = first.hasSeekTable && second.hasSeekTable
        return sum
    }

    /// Nothing.
    package init() {}

    /// Reads the headers of a regular file, from where its descriptor stands: those of the frames if a seek table says
    /// where they are and proves right, else those of all blocks, and skips what lies between them.
    ///
    /// - Throws: `reading`, or `codec` where the file is no sequence of frames, `foreign` where it is another known
    ///   format.
    package init(of source: Source) throws(Failure) {
        if let format = source.foreignFormat { throw .foreign(format.isRead ? .notListed(format) : .notRead(format)) }
        if let listing = try Listing(bySeekTableOf: source) { self = listing } else { try readBlocks(of: source) }
        try readChecksum(of: source)
    }

    private mutating func readBlocks(of source: Source) throws(Failure) {
        var audit = SeekTableAudit()
        let size = try HeaderWalk.run(over: source) { frame throws(Failure) in try note(frame, &audit) }
        try codec { () throws(CodecFailure) in try audit.finish(at: size) }
        compressedSize = size
    }

    /// Of one frame, whose end is found by now.
    private mutating func readChecksum(of source: Source) throws(Failure) {
        guard frames == 1, hasChecksums, let bytes = try source.bytes(at: checksumOffset, count: 4) else { return }
        checksum = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func note(_ frame: FrameScanner.Frame, _ audit: inout SeekTableAudit) throws(Failure) {
        try codec { () throws(CodecFailure) in try audit.note(frame) }
        hasSeekTable = if case .seekTable = frame.annotation { true } else { false }
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
        if let sum = contentSize, let size = header.contentSize {
            let (total, overflow) = sum.addingReportingOverflow(size)
            contentSize = overflow ? nil : total
        } else {
            contentSize = nil
        }
    }
}
