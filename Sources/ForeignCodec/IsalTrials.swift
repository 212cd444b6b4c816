/// What ISA-L has to do right before it is used: decode, give bytes back, and hand over to zlib from anywhere, where
/// the data goes on and where it is refused.
struct IsalTrials {
    /// A block with codes of its own, which is the last one, and the CRC-32 of its content.
    private static let coded: [UInt8] = [
        0x7D, 0x8B, 0xB7, 0x0D, 0x00, 0x30, 0x00, 0xC2, 0x6E, 0xA5, 0xFC, 0x7F, 0x43, 0xAC, 0x90, 0x39, 0x2C, 0x58,
        0x14, 0xC9,
        0x6A, 0xA2, 0x38, 0xD0, 0x64, 0x14, 0x8C, 0xF0, 0x25, 0x90, 0xBB, 0xAE, 0xBA, 0x3B, 0x2E, 0x1A, 0xFD, 0xFE,
        0x07,
    ]
    private static let (codedChecksum, codedContent): (UInt32, Int) = (0xD606_EEE4, 94)

    /// A block with the fixed codes: six of the longest matches, from the farthest distance. The next block is last.
    private static let matches: [UInt8] = [
        0x1A, 0xBD, 0xFF, 0x7F, 0xF4, 0xFE, 0xFF, 0xD1, 0xFB, 0xFF, 0x47, 0xEF, 0xFF, 0x1F, 0xBD, 0xFF, 0x7F, 0xF4,
        0xFE, 0x7F,
    ]
    /// The end of those, with the kind of the last block: empty and stored, and one that there is not.
    private static let (end, noEnd): ([UInt8], [UInt8]) = ([0x40, 0, 0, 0, 0xFF, 0xFF], [0xC0, 1, 0, 0, 0xFF, 0xFF])
    private static let wholeChecksum: UInt32 = 0xEAB5_DD7F

    /// All kinds of blocks, with more content than the window, and the same with an end that is refused.
    private let whole, refused: [UInt8]
    /// Within a header, codes, a stored block, at its end and within the fixed codes; whether what follows is refused.
    private let cuts: [(place: Int, isRefused: Bool)]
    private let decoder: IsalInflater

    init() throws(GzipDamage) {
        decoder = try IsalInflater()
        var stored = Self.coded
        while stored.count < 32_760 { stored += stored }
        stored.removeLast(stored.count - 32_760)
        let size = UInt16(stored.count)
        let sizes = [size, ~size].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        // The first block is not the last; behind it, in its last byte, a stored one begins.
        let data = [Self.coded[0] & 0xFE] + Self.coded[1...] + sizes + stored + Self.matches
        (whole, refused) = (data + Self.end, data + Self.noEnd)
        let matches = data.count - Self.matches.count
        cuts = [(10, true), (30, false), (Self.coded.count + 200, true), (matches, false), (matches + 9, true)]
    }

    func run() throws(GzipDamage) -> Bool {
        let content = UnsafeMutableRawBufferPointer.allocate(byteCount: 40_000, alignment: 16)
        defer { content.deallocate() }
        guard decodes(into: content), givesBack(into: content) else { return false }
        for cut in cuts {
            guard try handsOver(at: cut.place, isRefused: cut.isRefused, into: content) else { return false }
        }
        return true
    }

    private func decodes(into content: UnsafeMutableRawBufferPointer) -> Bool {
        decoder.begin()
        let bytes = whole + [UInt8](repeating: 0, count: 8)
        var (segment, room) = (bytes.span.bytes, content)
        guard case .ended(let given) = decoder.inflate(&segment, into: &room) else { return false }
        return given == 0 && segment.byteCount == 8 && decoder.checksum == Self.wholeChecksum
    }

    /// The last byte of the content has no room at first, when the bytes after the data are taken.
    private func givesBack(into content: UnsafeMutableRawBufferPointer) -> Bool {
        decoder.begin()
        let bytes = Self.coded + [1, 2, 3]
        var segment = bytes.span.bytes
        var room = UnsafeMutableRawBufferPointer(rebasing: content[..<(Self.codedContent - 1)])
        guard case .goesOn = decoder.inflate(&segment, into: &room), room.isEmpty else { return false }
        room = UnsafeMutableRawBufferPointer(rebasing: content[..<1])
        guard case .ended(let given) = decoder.inflate(&segment, into: &room), room.isEmpty else { return false }
        return given + segment.byteCount == 3 && decoder.checksum == Self.codedChecksum
    }

    private func handsOver(
        at cut: Int, isRefused: Bool, into content: UnsafeMutableRawBufferPointer
    ) throws(GzipDamage) -> Bool {
        decoder.begin()
        var (segment, room) = (whole.span.bytes.extracting(first: cut), content)
        guard case .goesOn = decoder.inflate(&segment, into: &room), segment.isEmpty else { return false }
        if isRefused {
            segment = refused.span.bytes.extracting(cut...)
            guard case .refused = decoder.inflate(&segment, into: &room) else { return false }
        }
        let (rest, held) = try decoder.handOver(before: isRefused)
        let bytes = held + whole[cut...]
        segment = bytes.span.bytes
        return try rest.inflate(&segment, into: &room) && segment.isEmpty && rest.checksum == Self.wholeChecksum
    }
}
