internal import CZlib

/// Takes the header of a gzip member (RFC 1952, 2.3), and refuses what zlib refuses. Nothing of it is kept.
struct GzipHeader {
    private enum Field { case fixed, extraSize, extra, name, comment, checksum }

    private static let (checksumFlag, extraFlag, nameFlag, commentFlag): (UInt8, UInt8, UInt8, UInt8) = (2, 4, 8, 16)
    private static let deflate: UInt8 = 8

    private var field = Field.fixed
    /// The bytes of the field that have come.
    private var count = 0
    private var method: UInt8 = 0
    private var flags: UInt8 = 0
    private var extraSize = 0
    private var isGzip = true
    /// The CRC-32 of the header, if it has one of its own.
    private var sum: UInt = 0
    private var stated: UInt = 0

    /// Takes the next byte.
    ///
    /// - Returns: whether the header is complete.
    /// - Throws: `GzipDamage`.
    mutating func take(_ byte: UInt8) throws(GzipDamage) -> Bool {
        if field != .checksum { addToSum(byte) }
        count += 1
        switch field {
        case .fixed:
            try takeFixed(byte)
            return count == 10 && advance(past: .fixed)
        case .extraSize:
            extraSize |= Int(byte) << (8 * (count - 1))
            guard count == 2 else { return false }
            if extraSize == 0 { return advance(past: .extra) }
            return begin(.extra)
        case .extra: return count == extraSize && advance(past: .extra)
        case .name: return byte == 0 && advance(past: .name)
        case .comment: return byte == 0 && advance(past: .comment)
        case .checksum:
            stated |= UInt(byte) << (8 * (count - 1))
            guard count == 2 else { return false }
            guard stated == sum & 0xFFFF else { throw .header }
            return true
        }
    }

    private mutating func addToSum(_ byte: UInt8) {
        // Whether there is a checksum is known with the fourth byte.
        guard count < 4 || flags & Self.checksumFlag != 0 else { return }
        withUnsafePointer(to: byte) { sum = crc32(sum, $0, 1) }
    }

    private mutating func takeFixed(_ byte: UInt8) throws(GzipDamage) {
        switch count {
        case 1: isGzip = byte == 0x1F
        case 2:
            guard isGzip, byte == 0x8B else { throw .data }
        case 3: method = byte
        case 4:
            flags = byte
            guard method == Self.deflate, flags & 0xE0 == 0 else { throw .header }
        // The time, what the compressor was, and its system.
        default: break
        }
    }

    /// Begins the next field that the header has; returns whether there is none.
    private mutating func advance(past last: Field) -> Bool {
        let fields: [(Field, UInt8)] = [
            (.fixed, 0), (.extra, Self.extraFlag), (.name, Self.nameFlag), (.comment, Self.commentFlag),
            (.checksum, Self.checksumFlag),
        ]
        let next = fields.drop { $0.0 != last }.dropFirst().first { flags & $0.1 != 0 }
        guard let next else { return true }
        return begin(next.0 == .extra ? .extraSize : next.0)
    }

    private mutating func begin(_ next: Field) -> Bool {
        (field, count) = (next, 0)
        return false
    }
}

/// Takes the trailer of a gzip member (RFC 1952, 2.3.1), and compares it with the content.
struct GzipTrailer {
    /// Of the content.
    let checksum, size: UInt32
    private var count = 0
    private var number: UInt32 = 0

    init(checksum: UInt32, size: UInt32) { (self.checksum, self.size) = (checksum, size) }

    /// Takes the next byte; returns whether the trailer is complete.
    mutating func take(_ byte: UInt8) throws(GzipDamage) -> Bool {
        number |= UInt32(byte) << (8 * UInt32(count % 4))
        count += 1
        guard count % 4 == 0 else { return false }
        defer { number = 0 }
        guard number == (count == 4 ? checksum : size) else { throw count == 4 ? .checksum : .size }
        return count == 8
    }
}

/// What is wrong with a gzip member, or keeps it from being decoded.
enum GzipDamage: String, Error {
    case header = "its header is damaged"
    case data = "it is damaged"
    case checksum = "its checksum does not match its content"
    case size = "its size does not match its trailer"
    /// ISA-L does not go on, and its state can't be described to zlib: whether the member is damaged is not known.
    case noSuccessor = "libisal refuses it, and zlib can't go on from there"
    case noMemory = ""

    func failure(offset: UInt64) -> ForeignFailure {
        switch self {
        case .noMemory: .outOfMemory
        case .noSuccessor: .unsupported(.gzip, reason: rawValue, offset: offset)
        case .header, .data, .checksum, .size: .corrupt(.gzip, reason: rawValue, offset: offset)
        }
    }
}
