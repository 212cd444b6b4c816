/// Finds where a chunk ends by a hash of the 64 bytes before each position, so that a change only moves the ends near
/// it.
///
/// The "gear" hash takes a shift and an addition for each byte, which is shifted out after 64 others. A chunk ends
/// where the hash is below a limit. The first seven sixteenths of the largest chunk are skipped, which makes it cheap;
/// after them an end is a sixteenth away on average, so that a chunk has about half the largest size, and one in eight
/// thousand all of it. The ends depend on the content alone, not on how it arrives.
struct HashCut: ChunkCut {
    /// Bytes that the hash depends on.
    static let reach = 64

    /// The fewest bytes of a chunk, except the last one.
    let least: Int
    /// Bytes from the first possible end to the actual one, on average.
    let distance: Int
    /// The most bytes of a chunk.
    let most: Int
    private let limit: UInt64

    private(set) var position = 0
    private var hash: UInt64 = 0

    /// - Parameter most: at least 1.
    init(most: Int) {
        self.most = most
        // A small chunk must not end before the first hash is complete.
        least = max(most * 7 / 16, min(most, Self.reach))
        distance = max(2, most / 16)
        limit = UInt64.max / UInt64(distance)
        begin(at: 0)
    }

    var step: Int { min(most, max(distance, 64 << 10)) }

    var lookSize: Int { 256 << 10 }
    var passesHoles: Bool { true }

    mutating func begin(at offset: UInt64) {
        position = max(0, least - Self.reach)
        hash = 0
    }

    mutating func take(_ bytes: RawSpan) -> Int? {
        let bytes = bytes.extracting(first: most - position)
        let unseen = min(bytes.byteCount, max(0, least - position))
        _ = advance(bytes.extracting(..<unseen), below: 0)
        if let end = advance(bytes.extracting(unseen...), below: limit) { return end }
        return position == most ? most : nil
    }

    /// Hashes bytes up to the first after which the hash is below the limit.
    private mutating func advance(_ bytes: RawSpan, below limit: UInt64) -> Int? {
        var hash = hash
        let found = Self.gears.withUnsafeBufferPointer { gears -> Int? in
            for index in bytes.byteOffsets {
                hash = hash << 1 &+ gears[Int(bytes[index])]
                if hash < limit { return index }
            }
            return nil
        }
        self.hash = hash
        position += found.map { $0 + 1 } ?? bytes.byteCount
        return found == nil ? nil : position
    }

    /// The number that each byte adds: pseudo-random (SplitMix64), without its highest bit, so that the hash of a run
    /// of equal bytes, 2^64 minus that number, is never below the limit.
    private static let gears: [UInt64] = {
        var state: UInt64 = 0
        return (0..<256).map { _ in
            state &+= 0x9E37_79B9_7F4A_7C15
            var number = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
            return (number ^ number >> 31) >> 1
        }
    }()
}
