/// A compressed format other than Zstandard, known by its first bytes.
public enum ForeignFormat: String, CaseIterable, Sendable {
    // What `ForeignDecoder` reads.
    /// RFC 1952; it is read.
    case gzip
    /// The format of xz; it is read.
    case xz
    /// What xz's predecessor wrote; it is read.
    case lzma
    /// Frames of lz4; they are read.
    case lz4
    // What is known by name only.
    /// Known by name only.
    case bzip2
    /// Known by name only.
    case zip
    /// Known by name only.
    case lzip
    /// Known by name only.
    case lzop
    /// Known by name only.
    case rar
    /// What `compress` writes, known by name only.
    case compress = "compress (.Z)"
    /// What lz4 wrote before it had frames, known by name only.
    case legacyLz4 = "legacy lz4"
    /// Known by name only.
    case sevenZip = "7z"

    /// Bytes that tell whether a format is known: as many as zstd's own command looks at.
    public static let magicSize = 4

    /// The first bytes of each. For lzma, which has no magic number, those of nearly every file, as in zstd.
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

    /// The format of data that begins with these bytes; nil if it is not known, or there are fewer than `magicSize`.
    public init?(magic bytes: some Collection<UInt8>) {
        guard bytes.count >= Self.magicSize, let format = Self.allCases.first(where: { bytes.starts(with: $0.magic) })
        else { return nil }
        self = format
    }

    /// Whether `ForeignDecoder` reads it.
    public var isRead: Bool {
        switch self {
        case .gzip, .xz, .lzma, .lz4: true
        case .bzip2, .zip, .lzip, .lzop, .rar, .compress, .legacyLz4, .sevenZip: false
        }
    }

    /// The word for it in a sentence.
    public var name: String { rawValue }
}
