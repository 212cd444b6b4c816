/// A compressed format other than Zstandard, recognised by its first bytes. The raw value is its name in messages.
package enum ForeignFormat: String, CaseIterable, Sendable {
    /// Formats that can be decoded: gzip (RFC 1952), xz, its predecessor lzma, and lz4 frames.
    case gzip, xz, lzma, lz4
    /// Formats that are only recognised.
    case bzip2, zip, lzip, lzop, rar
    /// The format of `compress`, which is only recognised.
    case compress = "compress (.Z)"
    /// The lz4 format before it had frames, which is only recognised.
    case legacyLz4 = "legacy lz4"
    /// The format of 7-Zip, which is only recognised.
    case sevenZip = "7z"

    /// The number of bytes needed to recognise a format, as in zstd's own command.
    package static let magicSize = 4

    /// The first bytes of each format. lzma does not have a magic number: these are the first bytes of nearly all
    /// files, as in zstd.
    private var magic: [UInt8] {
        switch self {
        case .gzip: [0x1F, 0x8B]
        case .xz: [0xFD, 0x37, 0x7A, 0x58]
        case .lzma: [0x5D, 0x00]
        case .lz4: [0x04, 0x22, 0x4D, 0x18]
        case .bzip2: Array("BZh".utf8)
        case .zip: Array("PK\u{3}\u{4}".utf8)
        case .lzip: Array("LZIP".utf8)
        case .lzop: [0x89, 0x4C, 0x5A, 0x4F]
        case .rar: Array("Rar!".utf8)
        case .compress: [0x1F, 0x9D]
        case .legacyLz4: [0x02, 0x21, 0x4C, 0x18]
        case .sevenZip: [0x37, 0x7A, 0xBC, 0xAF]
        }
    }

    /// The first bytes of each format in the midst of other data, where two bytes say nothing; nil if it has no more.
    package var longMagic: [UInt8]? {
        switch self {
        case .gzip: magic + [8]
        case .lzma, .compress: nil
        default: magic
        }
    }

    /// The format of data that begins with these bytes; nil if it is unknown, or there are fewer than `magicSize`.
    package init?(magic bytes: some Collection<UInt8>) {
        let start = Array(bytes.prefix(Self.magicSize))
        guard start.count == Self.magicSize, let format = Self.allCases.first(where: { start.starts(with: $0.magic) })
        else { return nil }
        self = format
    }

    /// Whether the format can be decoded.
    package var isRead: Bool { [.gzip, .xz, .lzma, .lz4].contains(self) }
}

/// A place in the input at which another decoder can continue.
package enum ForeignPlace: Sendable {
    /// The end of a member in this format.
    case after(ForeignFormat)
    case within(XzPlace)
    /// The start of xz streams that all end where their input does, after a member in this format.
    case streams(after: ForeignFormat?)
}
