import TestSupport

/// A frame made by hand, of blocks of all types, some of whose matches reach beyond the window: about as far as libzstd
/// has content in its buffer, which begins again when it has no room for a block.
struct FarMatchFrame {
    /// It ends in a checksum that is not set.
    private(set) var bytes: [UInt8]
    /// Where its blocks begin.
    private(set) var blockStarts: [Int] = []
    private let window: Int
    private let blockSize: Int
    private var numbers: SeededNumbers
    /// Whether a match may reach so far that libzstd refuses it.
    private let isBold: Bool
    /// The bytes of content, and where the next byte lies in libzstd's buffer.
    private var (produced, place, lap) = (0, 0, 0)

    /// - Parameters:
    ///   - descriptor: the byte of the header that stands for the window (RFC 8878, 3.1.1.1.2).
    ///   - laps: how often the content fills libzstd's buffer.
    ///   - rawBlocks: of ten blocks, how many are raw.
    init(descriptor: UInt8, laps: Int, rawBlocks: Int, seed: UInt64) {
        let base = 1 << (10 + Int(descriptor >> 3))
        window = base + base / 8 * Int(descriptor & 7)
        blockSize = min(window, 128 << 10)
        isBold = seed % 4 == 3
        numbers = SeededNumbers(seed: seed)
        bytes = [0x28, 0xB5, 0x2F, 0xFD, 4, descriptor]
        let ring = window + blockSize + (128 << 10) + 64
        while produced < laps * ring { append(Int.random(in: 0..<10, using: &numbers) < rawBlocks, ring) }
        // An empty last block, and the checksum.
        blockStarts.append(bytes.count)
        bytes += [1, 0, 0, 0, 0, 0, 0]
    }

    private mutating func append(_ isRaw: Bool, _ ring: Int) {
        blockStarts.append(bytes.count)
        var count = Bool.random(using: &numbers) ? blockSize : Int.random(in: 1...blockSize, using: &numbers)
        // Large literals lie in the buffer where the end of a full block would be.
        let isFirst = blockStarts.count % 4 == 1
        let hasLargeLiterals = blockSize == 128 << 10 && blockStarts.count % 4 == 0
        if hasLargeLiterals { count = Int.random(in: 90_000...120_000, using: &numbers) }
        if isRaw {
            appendBlock(type: 0, count, body: (0..<count).map { _ in UInt8.random(in: 0..<255, using: &numbers) })
        } else if count < 16 {
            appendBlock(type: 1, count, body: [UInt8.random(in: 0..<255, using: &numbers)])
        } else {
            let isWhole = hasLargeLiterals || Bool.random(using: &numbers)
            // With few literals, a match can find what the block has not overwritten yet.
            let most = isFirst ? min(count - 5, 500) : count - 5
            let literals = isWhole && !isFirst ? most : Int.random(in: 0..<most, using: &numbers)
            let leading = Bool.random(using: &numbers) ? literals : Int.random(in: 0...literals, using: &numbers)
            let body = compressed(
                literals, leading: leading, match: count - literals,
                offset: offset(at: leading, match: count - literals, ring))
            appendBlock(type: 2, body.count, body: body)
        }
        produced += count
        place += count
        if place + blockSize > ring { (lap, place) = (place, 0) }
    }

    private mutating func appendBlock(type: Int, _ size: Int, body: [UInt8]) {
        let header = size << 3 | type << 1
        bytes += [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16)] + body
    }

    /// An offset for a match that has `leading` bytes of its block before it.
    private mutating func offset(at leading: Int, match: Int, _ ring: Int) -> Int {
        let most = max(1, lap == 0 ? produced + leading : lap + place + leading)
        let near = Int.random(in: 1...min(most, window), using: &numbers)
        // Batches have four blocks: so the first of one is the one that is refused.
        guard lap > 0, blockStarts.count % 4 == 1, Bool.random(using: &numbers) else { return near }
        // What lies after the place of the block in the buffer may be overwritten by literals of the block before.
        let stray = lap + leading - Int.random(in: 0..<blockSize / 4, using: &numbers)
        let places = [window, ring, lap, most, lap - blockSize, stray, stray, stray]
        let target = places.randomElement(using: &numbers) ?? window
        let far = max(1, target + Int.random(in: -200...200, using: &numbers))
        let offset = isBold ? far : min(most, far)
        // What libzstd copies beyond an end, of up to 32 bytes, is what its memory happens to hold.
        let from = lap + place + leading - offset
        let isStray = offset > place + leading && from < place + leading + 64 && from + match > place
        return isStray ? near : offset
    }

    /// The body of a compressed block of one sequence, whose codes are single states.
    private mutating func compressed(_ literals: Int, leading: Int, match: Int, offset: Int) -> [UInt8] {
        // With its literals as they are, a block may be larger than the most that one has.
        let isRun = literals > blockSize - 32 || Bool.random(using: &numbers)
        let header = (isRun ? 1 : 0) | 3 << 2 | literals << 4
        var body = [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16)]
        body += (0..<(isRun ? 1 : literals)).map { _ in UInt8.random(in: 0..<255, using: &numbers) }
        let (length, matchLength) = (Self.code(leading, Self.lengths), Self.code(match, Self.matches))
        let offsetCode = 63 - (offset + 3).leadingZeroBitCount
        body += [1, 0x54, length.code, UInt8(offsetCode), matchLength.code]
        var (bits, count) = (UInt64(length.rest), length.bits)
        bits |= UInt64(matchLength.rest) << count
        count += matchLength.bits
        bits |= UInt64(offset + 3 - 1 << offsetCode) << count
        count += offsetCode
        bits |= 1 << count
        return body + (0...count / 8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
    }

    private static func code(
        _ value: Int, _ table: [(base: Int, bits: Int)]
    ) -> (code: UInt8, bits: Int, rest: Int) {
        let code = table.lastIndex { $0.base <= value } ?? 0
        return (UInt8(code), table[code].bits, value - table[code].base)
    }

    /// RFC 8878, 3.1.1.3.2.1.1.
    private static let lengths: [(base: Int, bits: Int)] =
        (0..<16).map { ($0, 0) } + [(16, 1), (18, 1), (20, 1), (22, 1), (24, 2), (28, 2), (32, 3), (40, 3), (48, 4)]
        + (6...16).map { (1 << $0, $0) }
    private static let matches: [(base: Int, bits: Int)] =
        (0..<32).map { ($0 + 3, 0) }
        + [(35, 1), (37, 1), (39, 1), (41, 1), (43, 2), (47, 2), (51, 3), (59, 3), (67, 4), (83, 4), (99, 5)]
        + (7...16).map { ((1 << $0) + 3, $0) }
}
