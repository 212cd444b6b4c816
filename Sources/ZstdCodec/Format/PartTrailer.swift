/// The skippable frame at the end of a part, which identifies the original file and lists the part's frames. Parts are
/// joined only if all their trailers are present and agree.
///
/// Layout, little-endian: `0x184D2A54 | size u32 | "SLUICE" | version u8 = 1 | flags u8 | K u32 | N u32 | source size
/// u64 | its modification, seconds i64 | nanoseconds u32 | checksums of its first and its last bytes, 2 x u32 | frame
/// size u32 | level i32 | libzstd u32 | settings u64 | checksum of the frames u64 | alignment u32 | n x entry | n u32 |
/// digest u64 | 0x54524150`. Entries are those of a seek table with checksums. Bit 0 of the flags means that frames end
/// in checksums, bit 1 that they consist of whole lines.
package struct PartTrailer: Equatable, Sendable {
    /// Identifies the source of all parts.
    package struct Origin: Equatable, Sendable {
        /// The size in bytes.
        package var size: UInt64
        /// The modification time, in seconds and nanoseconds.
        package var seconds: Int64
        package var nanoseconds: UInt32
        /// The low 32 bits of XXH64 of its first bytes and of its last bytes.
        package var checksums: [UInt32]

        package init(size: UInt64, seconds: Int64, nanoseconds: UInt32, checksums: (first: UInt32, last: UInt32)) {
            (self.size, self.seconds, self.nanoseconds) = (size, seconds, nanoseconds)
            self.checksums = [checksums.first, checksums.last]
        }
    }

    /// The options that determine the bytes of the frames.
    package struct Parameters: Equatable, Sendable {
        /// The content size of each frame except the last of the last part, in bytes; approximate if frames consist of
        /// whole lines.
        package var frameSize: UInt32
        package var level: Int32
        package var hasChecksums: Bool
        /// The version number of libzstd.
        package var library: UInt32
        /// A digest of all other options.
        package var settings: UInt64
        /// The size whose multiples frames don't straddle, in bytes; 0 if frames may lie anywhere.
        package var alignment: UInt32
        /// Whether frames consist of whole lines, and so have any size up to twice the frame size.
        package var hasLines = false

        /// Computes the offsets of the frames of a file or a part, from its first byte.
        package var placement: FrameAlignment { FrameAlignment(alignment == 0 ? nil : Int(alignment)) }

        /// Whether a run can have been asked for that.
        fileprivate var isPossible: Bool {
            (alignment == 0 || FrameAlignment.sizes.contains(Int(alignment)))
                && 1...UInt32(SeekTable.maximumFrameSize) ~= frameSize
        }
    }

    static let magic: UInt32 = 0x184D_2A54
    private static let footerMagic: UInt32 = 0x5452_4150
    private static let version: UInt8 = 1
    private static let (checksumFlag, linesFlag) = (UInt8(1), UInt8(2))
    /// The number of bytes before the entries.
    private static let headSize = 84
    /// The number of bytes at the end of a trailer that give its size.
    package static let footerSize = 16
    private static let entrySize = SeekTable.entrySize(hasChecksums: true)
    /// The most frames that a trailer lists, because it is held in memory.
    package static let mostFrames = 4 << 20

    package let share: PartNumber
    package let origin: Origin
    package let parameters: Parameters
    /// XXH64 of all bytes before the trailer.
    package var checksum: UInt64 = 0
    /// The frames of the part, at most `mostFrames`.
    package private(set) var entries: [SeekTable.Entry] = []

    package init(_ share: PartNumber, origin: Origin, parameters: Parameters) {
        (self.share, self.origin, self.parameters) = (share, origin, parameters)
    }

    package mutating func append(_ entry: SeekTable.Entry) { entries.append(entry) }

    /// The size of the whole skippable frame in bytes.
    package var encodedSize: Int { Self.encodedSize(count: entries.count) }

    /// The number of bytes before the trailer: frames and the filler frames between them.
    package var framesSize: UInt64 {
        var placement = parameters.placement
        for entry in entries { _ = placement.place(UInt64(entry.compressedSize)) }
        _ = placement.placeLast(UInt64(encodedSize))
        return placement.position - UInt64(encodedSize)
    }

    /// The content size of all frames in bytes.
    package var contentSize: UInt64 { entries.reduce(0) { $0 + UInt64($1.decompressedSize) } }

    /// Whether the frames hold exactly the part's share of the content. With whole lines, only all parts together show
    /// where the share begins and ends.
    package var isConsistent: Bool {
        guard parameters.frameSize > 0 else { return false }
        let frameSize = UInt64(parameters.frameSize)
        let total = PartNumber.frameCount(of: origin.size, frameSize: frameSize)
        let (frames, bytes) = (share.range(of: total), share.bytes(of: origin.size, frameSize: frameSize))
        let size = bytes.upperBound - bytes.lowerBound
        if parameters.hasLines {
            return UInt64(entries.count) <= frames.upperBound - frames.lowerBound
                && entries.allSatisfy { UInt64($0.decompressedSize) <= 2 * frameSize }
        }
        // Bound the loop below, whatever sizes the trailer claims.
        guard frames.upperBound - frames.lowerBound == UInt64(entries.count) else { return false }
        return entries.indices.allSatisfy { index in
            UInt64(entries[index].decompressedSize) == min(frameSize, size - UInt64(index) * frameSize)
        }
    }

    private static func encodedSize(count: Int) -> Int { headSize + count * entrySize + footerSize }

    /// The whole skippable frame.
    package var encoded: [UInt8] {
        var bytes = [UInt8](skippable: Self.magic, size: encodedSize)
        bytes += StreamHeader.name
        let flags = (parameters.hasChecksums ? Self.checksumFlag : 0) | (parameters.hasLines ? Self.linesFlag : 0)
        bytes += [Self.version, flags]
        bytes.appendLittleEndian(UInt32(share.number))
        bytes.appendLittleEndian(UInt32(share.count))
        bytes.appendLittleEndian(origin.size)
        bytes.appendLittleEndian(origin.seconds)
        bytes.appendLittleEndian(origin.nanoseconds)
        for checksum in origin.checksums { bytes.appendLittleEndian(checksum) }
        bytes.appendLittleEndian(parameters.frameSize)
        bytes.appendLittleEndian(parameters.level)
        bytes.appendLittleEndian(parameters.library)
        bytes.appendLittleEndian(parameters.settings)
        bytes.appendLittleEndian(checksum)
        bytes.appendLittleEndian(parameters.alignment)
        for entry in entries { entry.encode(to: &bytes) }
        bytes.appendLittleEndian(UInt32(entries.count))
        bytes.appendLittleEndian(Self.digest(bytes.span.bytes))
        bytes.appendLittleEndian(Self.footerMagic)
        return bytes
    }

    /// The size in bytes of the trailer at the end of a file with this footer.
    ///
    /// - Parameter footer: the last `footerSize` (16) bytes.
    /// - Returns: nil if there is no trailer.
    package static func encodedSize(footer: RawSpan) -> Int? {
        guard footer.byteCount == footerSize, footer.littleEndian(at: 12, as: UInt32.self) == footerMagic else {
            return nil
        }
        let count = Int(footer.littleEndian(at: 0, as: UInt32.self))
        return count <= mostFrames ? encodedSize(count: count) : nil
    }

    /// Parses a complete trailer; nil if it is not one of this version, is damaged, or says what no run can have done.
    package init?(_ bytes: RawSpan) {
        guard bytes.isSkippableFrame(Self.magic),
            Self.encodedSize(footer: bytes.extracting(last: Self.footerSize)) == bytes.byteCount,
            bytes.has(StreamHeader.name, at: 8), bytes[14] == Self.version,
            bytes[15] & ~(Self.checksumFlag | Self.linesFlag) == 0,
            Self.digest(bytes.extracting(droppingLast: 12))
                == bytes.littleEndian(at: bytes.byteCount - 12, as: UInt64.self),
            let share = PartNumber(
                Int(bytes.littleEndian(at: 16, as: UInt32.self)), of: Int(bytes.littleEndian(at: 20, as: UInt32.self)))
        else { return nil }
        self.share = share
        origin = Origin(
            size: bytes.littleEndian(at: 24, as: UInt64.self), seconds: bytes.littleEndian(at: 32, as: Int64.self),
            nanoseconds: bytes.littleEndian(at: 40, as: UInt32.self),
            checksums: (bytes.littleEndian(at: 44, as: UInt32.self), bytes.littleEndian(at: 48, as: UInt32.self)))
        parameters = Parameters(
            frameSize: bytes.littleEndian(at: 52, as: UInt32.self), level: bytes.littleEndian(at: 56, as: Int32.self),
            hasChecksums: bytes[15] & Self.checksumFlag != 0, library: bytes.littleEndian(at: 60, as: UInt32.self),
            settings: bytes.littleEndian(at: 64, as: UInt64.self),
            alignment: bytes.littleEndian(at: 80, as: UInt32.self), hasLines: bytes[15] & Self.linesFlag != 0)
        guard parameters.isPossible, origin.nanoseconds < 1_000_000_000 else { return nil }
        checksum = bytes.littleEndian(at: 72, as: UInt64.self)
        entries = stride(from: Self.headSize, to: bytes.byteCount - Self.footerSize, by: Self.entrySize).map {
            SeekTable.Entry(bytes, at: $0)
        }
    }

    /// A digest of whole words of four bytes.
    private static func digest(_ bytes: RawSpan) -> UInt64 {
        var digest = NumberDigest()
        for offset in stride(from: 0, to: bytes.byteCount - 3, by: 4) {
            digest.append(UInt64(bytes.littleEndian(at: offset, as: UInt32.self)))
        }
        return digest.value
    }
}
