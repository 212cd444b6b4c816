/// Finds where a chunk ends, by a hash of the 64 bytes before each place: a change moves the ends near it only.
///
/// The hash is "gear": a shift and an addition for each byte, so that a byte is shifted out after 64 others. A chunk
/// ends where it is below a limit. It is not looked at in the first seven sixteenths of the largest chunk, where no cut
/// may be, which makes it cheap; behind that a place is a sixteenth away on average, so that a chunk has about half of
/// the largest, and one in eight thousand has all of it.
///
/// A pure value: the ends depend on the content alone, however it comes.
struct ContentCut {
    /// Bytes that the hash depends on.
    static let reach = 64

    /// Bytes that a chunk has at least, if it is not the last one.
    let least: Int
    /// Bytes from where a cut may be to where one is, on average.
    let distance: Int
    /// Bytes that a chunk has at most.
    let most: Int
    private let limit: UInt64

    /// Bytes of the chunk before those that are to be looked at next.
    private(set) var position = 0
    private var hash: UInt64 = 0

    /// - Parameter most: bytes of the largest chunk, at least 1.
    init(most: Int) {
        self.most = most
        // Small ones have to end in the bytes that the first hash is of.
        least = max(most * 7 / 16, min(most, Self.reach))
        distance = max(2, most / 16)
        limit = UInt64.max / UInt64(distance)
        begin()
    }

    /// Begins at the start of the next chunk.
    mutating func begin() {
        position = max(0, least - Self.reach)
        hash = 0
    }

    /// Takes what comes at `position`.
    ///
    /// - Returns: how many bytes the chunk has, if its end was found.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Int? {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(most - position))
        let unseen = min(bytes.count, max(0, least - position))
        _ = advance(UnsafeRawBufferPointer(rebasing: bytes[..<unseen]), below: 0)
        if let end = advance(UnsafeRawBufferPointer(rebasing: bytes[unseen...]), below: limit) { return end }
        return position == most ? most : nil
    }

    /// Takes bytes up to one behind which the hash is below a limit.
    private mutating func advance(_ bytes: UnsafeRawBufferPointer, below limit: UInt64) -> Int? {
        var hash = hash
        let found = Self.gears.withUnsafeBufferPointer { gears -> Int? in
            for index in bytes.indices {
                hash = hash << 1 &+ gears[Int(bytes[index])]
                if hash < limit { return index }
            }
            return nil
        }
        self.hash = hash
        position += found.map { $0 + 1 } ?? bytes.count
        return found == nil ? nil : position
    }

    /// What each byte adds: numbers by chance, the same everywhere (SplitMix64), without their highest bit. The hash of
    /// a run of equal bytes is what is missing to 2^64, and so never below a limit.
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
