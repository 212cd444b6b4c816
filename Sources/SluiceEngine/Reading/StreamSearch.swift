internal import Parity

/// Where frames follow one another at the start of a file, and which of these are descriptions.
struct FrameChain {
    let verdict: FileVerdict
    let end: UInt64
    /// In order.
    let descriptions: [UInt64]
    /// More of them are not remembered.
    private static let mostDescriptions = 1 << 17

    init(of file: DamagedFile, _ limits: DecodingLimits, ignoresZeros: Bool) throws(Failure) {
        var descriptions: [UInt64] = []
        verdict = try FileVerdict(of: file, limits, ignoresZeros: ignoresZeros) { frame throws(Failure) in
            guard frame.isSkippable, frame.annotation == nil, descriptions.count < Self.mostDescriptions else {
                return
            }
            if try FileBlocks(file: file).isDescription(at: frame.offset, frame.compressedSize) {
                descriptions.append(frame.offset)
            }
        }
        end = verdict.soundEnd(of: file.size)
        self.descriptions = descriptions.filter { [end] in $0 < end }
    }

    fileprivate func hasDescription(at offset: UInt64) -> Bool {
        let place = descriptions.firstPosition { $0 >= offset }
        return place < descriptions.count && descriptions[place] == offset
    }
}

/// Finds the last stream with parity before an offset.
struct StreamSearch {
    private let blocks: FileBlocks
    private var search: DescriptionSearch<FileBlocks>

    init(_ blocks: FileBlocks, depth: UInt64) {
        (self.blocks, search) = (blocks, DescriptionSearch(blocks, depth: depth))
    }

    /// The description with which a stream ends, perhaps before its seek table.
    mutating func last(endingAt end: UInt64) throws(Failure) -> FoundDescription? {
        if let found = try search.description(endingAt: end) { return found }
        let footerSize = UInt64(SeekTable.footerSize)
        guard end > footerSize, let footer = try blocks.bytes(at: end - footerSize, count: Int(footerSize)),
            let table = SeekTable.encodedSize(footer: footer.span.bytes), table < end
        else { return nil }
        if let found = try search.description(endingAt: end - table) { return found }
        // There may be a filling before the table, which is its last entry.
        let hasChecksums = footer[4] & 0x80 != 0
        let (entrySize, rest) = (SeekTable.entrySize(hasChecksums: hasChecksums), end - footerSize)
        guard rest > UInt64(entrySize),
            let entry = try blocks.bytes(at: rest - UInt64(entrySize), count: entrySize),
            entry.span.bytes.littleEndian(at: 4, as: UInt32.self) == 0
        else { return nil }
        let filling = UInt64(entry.span.bytes.littleEndian(at: 0, as: UInt32.self))
        return filling < end - table ? try search.description(endingAt: end - table - filling) : nil
    }

    /// The last one that begins in a range, wherever it is.
    mutating func last(in range: Range<UInt64>) throws(Failure) -> FoundDescription? { try search.last(in: range) }

    /// The last one that begins in a range.
    mutating func last(in range: Range<UInt64>, _ chain: FrameChain) throws(Failure) -> FoundDescription? {
        if range.isEmpty { return nil }
        if let found = try last(endingAt: range.upperBound), range.contains(found.input.lowerBound),
            found.isCredible(chain)
        {
            return found
        }
        let broken = max(chain.end, range.lowerBound)
        if range.upperBound > broken, let found = try search.last(in: broken..<range.upperBound) { return found }
        return try lastOfChain(in: range, chain)
    }

    /// The last one of another stream that ends before one of which bytes at the start are missing.
    ///
    /// - Parameters:
    ///   - found: the description of that stream.
    ///   - range: the bytes before what is left of it.
    ///   - start: where it begins if other bytes are in the place of the missing ones. If they are cut off, something
    ///     else lies behind it, which counts if frames lead there.
    mutating func other(
        than found: FoundDescription, in range: Range<UInt64>, upTo start: UInt64, _ chain: FrameChain
    ) throws(Failure) -> FoundDescription? {
        if start > range.lowerBound, let other = try last(in: range.lowerBound..<start, chain),
            other.input.upperBound <= start
        {
            return other
        }
        var upper = range.upperBound
        while let other = try lastOfChain(in: range.lowerBound..<upper, chain) {
            if other.start != found.start, other.input.upperBound <= range.upperBound { return other }
            upper = other.input.lowerBound
        }
        return nil
    }

    private mutating func lastOfChain(
        in range: Range<UInt64>, _ chain: FrameChain
    ) throws(Failure) -> FoundDescription? {
        var place = chain.descriptions.firstPosition { $0 >= range.upperBound }
        while place > 0, chain.descriptions[place - 1] >= range.lowerBound {
            place -= 1
            if let found = try search.description(at: chain.descriptions[place]) { return found }
        }
        return nil
    }
}

extension FoundDescription {
    /// Whether it is not within a frame.
    fileprivate func isCredible(_ chain: FrameChain) -> Bool {
        input.lowerBound >= chain.end || chain.hasDescription(at: input.lowerBound)
    }
}
