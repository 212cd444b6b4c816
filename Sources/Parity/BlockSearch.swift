internal import CParity

/// What the regions of a file share: how much may be searched and tried for what is not in its place and how much be
/// remembered of it, and the one set that is in memory. Only forged files need more.
package final class SearchBudget {
    /// A set whose blocks are known, with those that were computed.
    struct Held {
        let region: Int
        let table: BlockTable
        /// The block that was read last.
        var block: (index: Int, bytes: [UInt8])?
    }

    /// Bytes over which a checksum rolls.
    var bytes: UInt64
    /// Places where a record may begin.
    var records = 1 << 16
    /// Bytes that are hashed at distances at which they may be.
    private var tries: UInt64
    /// The most runs of blocks that are remembered, and how many are.
    var mostRuns = 1 << 19
    private var runs = 0
    /// Bytes that may be read and added to make sets again that are not held. What finding a set out has taken counts
    /// many times: more is asked for only where reads go back and forth, as forged frames make them do.
    private var remakes: UInt64
    /// Bytes of seek tables that are made again.
    private var tails = ParityDescription.Tail.mostMade
    /// The set that was used last.
    var held: Held?
    private var regions = 0

    /// - Parameters:
    ///   - size: that of the file.
    ///   - remakes: how many bytes may be read and added again in any case.
    package init(for size: UInt64, remakes: UInt64 = 256 << 20) {
        let size = min(size, 1 << 56)
        (bytes, tries) = (2 * size + 64 << 20, 16 * size + 64 << 20)
        self.remakes = remakes
    }

    /// Limits what is remembered to a number of bytes. A run takes at most 1 KiB, including the list elements that are
    /// made from it. Some runs are always remembered.
    package func limitRuns(to memory: Int) { mostRuns = max(1 << 10, min(mostRuns, memory >> 10)) }

    /// Whether bytes may be hashed.
    func takeTry(of count: Int) -> Bool {
        guard tries >= UInt64(count) else { return false }
        tries -= UInt64(count)
        return true
    }

    /// Whether this number of runs may be remembered.
    func takeRuns(_ count: Int) -> Bool {
        guard mostRuns - runs >= count else { return false }
        runs += count
        return true
    }

    /// Whether sets may be made again.
    var allowsRemakes: Bool { remakes > 0 }

    /// Notes what it has taken to find a set out.
    func noteWork(_ bytes: UInt64) { remakes = min(remakes + 16 * bytes, 1 << 60) }

    /// Whether a set may be made again. After the first one that may not, none is.
    func takeRemake(of bytes: UInt64) -> Bool {
        let isEnough = remakes >= bytes
        remakes = isEnough ? remakes - bytes : 0
        return isEnough
    }

    /// Whether a table that was made again may be kept.
    func takeTail(of count: Int) -> Bool {
        guard tails >= UInt64(count) else { return false }
        tails -= UInt64(count)
        return true
    }

    func nextRegion() -> Int {
        regions += 1
        return regions
    }
}

/// Finds out which blocks of a set are where they were written, and which are elsewhere.
struct BlockSearch<Origin: ParityOrigin> {
    /// How far beyond the places that are known blocks and records are looked for, in bytes.
    private static var reach: UInt64 { 16 << 20 }
    /// The most distances at which every missing block is looked for; single blocks are found at any.
    private static var mostDistances: Int { 16 }

    private let origin: Origin
    private let description: ParityDescription
    private let set: ParitySet
    private let number: Int
    /// Where the stream would begin in the file.
    private let start: Int64
    private var table: BlockTable
    private var recordPlaces: [UInt64?]
    private var distances: [Int64]
    private let budget: SearchBudget
    private var buffer: [UInt8]

    /// - Parameters:
    ///   - start: where the stream begins in the file.
    ///   - distances: how many bytes after their expected places other blocks were found; negative if before.
    init(
        _ origin: Origin, _ description: ParityDescription, _ number: Int, start: Int64, distances: [Int64],
        _ budget: SearchBudget
    ) {
        (self.origin, self.description, self.number, self.start) = (origin, description, number, start)
        set = description.sets[number]
        table = BlockTable(set, number: number)
        recordPlaces = Array(repeating: nil, count: set.groups)
        self.distances = distances
        self.budget = budget
        buffer = [UInt8](repeating: 0, count: set.blockSize)
    }

    struct Result {
        var table: BlockTable
        let header: Int64?
        let records: [Int64?]
        let recordPlaces: [UInt64?]
        let distances: [Int64]
    }

    consuming func run() throws(Origin.Failure) -> Result {
        var search = self
        let records = try search.readRecords()
        for index in 0..<search.set.allCount { try search.look(for: index, isFirst: true) }
        // What can be computed need not be found.
        if !search.table.isComputable { try search.searchBlocks() }
        let header = try search.header()
        return Result(
            table: search.table, header: header, records: records, recordPlaces: search.recordPlaces,
            distances: search.distances)
    }

    private var frameStart: Int64 { start + Int64(description.frameStart(of: number)) }

    private mutating func note(_ distance: Int64) {
        if distances.count < Self.mostDistances, !distances.contains(distance) { distances.append(distance) }
    }

    private func header() throws(Origin.Failure) -> Int64? {
        let header = ParityFrame.set.header(frameSize: set.frameSize)
        for distance in distances where try origin.has(header, at: frameStart + distance) { return distance }
        return nil
    }

    // MARK: Records

    /// - Returns: the distance at which each copy is whole.
    private mutating func readRecords() throws(Origin.Failure) -> [Int64?] {
        var places = try readCopies()
        if recordPlaces.contains(nil) {
            let count = distances.count
            try searchRecords()
            if distances.count > count { places = try readCopies() }
        }
        return places
    }

    private mutating func readCopies() throws(Origin.Failure) -> [Int64?] {
        var places: [Int64?] = [nil, nil]
        for copy in 0..<2 {
            for distance in distances where places[copy] == nil {
                if try readRecords(copy: copy, at: distance) { places[copy] = distance }
            }
        }
        return places
    }

    /// Returns whether all are there.
    private mutating func readRecords(copy: Int, at distance: Int64) throws(Origin.Failure) -> Bool {
        let start = frameStart + Int64(set.recordsStart(copy: copy)) + distance
        let (first, end) = (max(0, start), min(Int64(clamping: origin.size), start + Int64(set.recordsSize)))
        guard first < end, let bytes = try origin.bytes(at: UInt64(first), count: Int(end - first)) else {
            return false
        }
        var areAll = true
        for group in 0..<set.groups {
            let offset = start + Int64(set.recordOffset(of: group)) - first
            let size = set.recordSize(of: group)
            guard offset >= 0, Int(offset) + size <= bytes.count,
                table.take(bytes.span.bytes.extracting(Int(offset)..<Int(offset) + size), group)
            else {
                areAll = false
                continue
            }
            recordPlaces[group] = UInt64(first + offset)
        }
        return areAll
    }

    /// Looks for the records of groups elsewhere: from the last one on, since each is there twice.
    private mutating func searchRecords() throws(Origin.Failure) {
        let area = reachable(frameStart..<frameStart + Int64(set.frameSize))
        var end = area.upperBound
        var buffer = [UInt8](repeating: 0, count: (1 << 20) + 16)
        while end > area.lowerBound, budget.records > 0, budget.bytes > 0, recordPlaces.contains(nil) {
            let start = max(area.lowerBound, end - min(end, 1 << 20))
            let count = Int(min(origin.size, end + 16) - start)
            budget.bytes -= min(budget.bytes, UInt64(count))
            try origin.fill(&buffer, count, from: start)
            var place = Int(end - start)
            while budget.records > 0 {
                place = sluice_find_last(buffer, count, place, ParityFrame.record.tag)
                if place == count { break }
                // Only those of this set are read.
                if place + 12 <= count, buffer.span.bytes.number(at: place + 8, as: UInt32.self) == UInt32(number) {
                    budget.records -= 1
                    try takeRecord(at: start + UInt64(place))
                }
            }
            end = start
        }
    }

    /// Takes the record of a group that has none, if it is whole.
    private mutating func takeRecord(at offset: UInt64) throws(Origin.Failure) {
        guard let front = try origin.bytes(at: offset, count: 16) else { return }
        let group = Int(front.span.bytes.number(at: 12, as: UInt32.self))
        guard group < set.groups, recordPlaces[group] == nil,
            let bytes = try origin.bytes(at: offset, count: set.recordSize(of: group)),
            table.take(bytes.span.bytes, group)
        else { return }
        recordPlaces[group] = offset
        for copy in 0..<2 {
            note(Int64(offset) - frameStart - Int64(set.recordsStart(copy: copy) + set.recordOffset(of: group)))
        }
    }

    // MARK: Blocks

    /// Where a block would be in the file.
    private func place(of index: Int) -> Int64 { start + Int64(description.range(of: index, in: number).lowerBound) }

    /// Looks for a block at its place, and at the distances at which others were found.
    ///
    /// - Parameter isFirst: whether it has not been looked for: at one place it may be without a bound.
    private mutating func look(for index: Int, isFirst: Bool = false) throws(Origin.Failure) {
        guard table.shifts[index] == nil, let mark = table.marks[index] else { return }
        let (place, size) = (place(of: index), set.size(of: index))
        for (rank, distance) in distances.enumerated() where origin.has(place + distance, count: size) {
            guard isFirst && rank == 0 || budget.takeTry(of: size) else { return }
            try origin.fill(&buffer, size, from: UInt64(place + distance))
            guard xxh64(buffer.span.bytes.extracting(..<size)) == mark.hash else { continue }
            table.shifts[index] = distance
            // The next one most likely lies at the same distance.
            distances.swapAt(0, rank)
            return
        }
    }

    /// Where what was written to a range may be.
    private func reachable(_ range: Range<Int64>) -> Range<UInt64> {
        let start = range.lowerBound + min(0, distances.min() ?? 0) - Int64(Self.reach)
        let end = range.upperBound + max(0, distances.max() ?? 0) + Int64(Self.reach)
        let first = min(UInt64(max(0, start)), origin.size)
        return first..<max(first, min(UInt64(max(0, end)), origin.size))
    }

    /// Looks for missing blocks at any place within reach, by their CRC, which moves over the bytes.
    private mutating func searchBlocks() throws(Origin.Failure) {
        let area = reachable(place(of: 0)..<frameStart + Int64(set.frameSize))
        var wanted = WantedBlocks(table)
        guard !wanted.isEmpty, budget.bytes > 0 else { return }
        var rolling = sluice_rolling_crc()
        sluice_rolling_crc_begin(&rolling, set.blockSize)
        // A proof takes as long as a block: of those in vain there may not be many.
        var proofs = 4 * set.allCount + 64
        var bytes = [UInt8](repeating: 0, count: max(1 << 20, 4 * set.blockSize) + set.blockSize)
        var start = area.lowerBound
        while start + UInt64(set.blockSize) <= area.upperBound, proofs > 0, budget.bytes > 0, !wanted.isEmpty {
            let count = Int(min(UInt64(bytes.count), area.upperBound - start))
            budget.bytes -= min(budget.bytes, UInt64(count))
            try origin.fill(&bytes, count, from: start)
            let positions = count - set.blockSize + 1
            sluice_rolling_crc_fill(&rolling, bytes)
            var position = 0
            while position < positions, proofs > 0 {
                if let blocks = wanted.blocks(rolling.value) {
                    // Of many blocks with one CRC, those that are alike are found at once.
                    proofs -= 1 + blocks.count >> 6
                    let window = bytes.span.bytes.extracting(position..<position + set.blockSize)
                    try note(blocks, rolling.value, hash: xxh64(window), at: start + UInt64(position), &wanted)
                }
                position = wanted.next(&rolling, bytes, after: position, of: positions)
            }
            start += UInt64(positions)
        }
    }

    /// Notes where blocks are if they have this hash, and looks for all others at the same distance.
    private mutating func note(
        _ blocks: [Int], _ crc: UInt32, hash: UInt64, at offset: UInt64, _ wanted: inout WantedBlocks
    ) throws(Origin.Failure) {
        let count = distances.count
        for index in blocks where table.shifts[index] == nil && table.marks[index]?.hash == hash {
            let distance = Int64(offset) - place(of: index)
            table.shifts[index] = distance
            note(distance)
        }
        if distances.count > count {
            for index in 0..<set.allCount { try look(for: index) }
            wanted = WantedBlocks(table)
        } else {
            wanted.remove(crc) { table.shifts[$0] != nil }
        }
    }
}

/// The blocks that are looked for, by their CRC.
private struct WantedBlocks {
    private var blocks: [UInt32: [Int]] = [:]
    /// The low 20 bits of all these CRCs.
    private var filter = [UInt64](repeating: 0, count: 16384)

    init(_ table: BlockTable) {
        for (index, mark) in table.marks.enumerated() {
            guard let mark, table.shifts[index] == nil, table.set.size(of: index) == table.set.blockSize else {
                continue
            }
            blocks[mark.crc, default: []].append(index)
            filter[Int(mark.crc & 0xFFFFF) >> 6] |= 1 << UInt64(mark.crc & 63)
        }
    }

    var isEmpty: Bool { blocks.isEmpty }

    func blocks(_ crc: UInt32) -> [Int]? { blocks[crc] }

    /// Forgets blocks with a CRC.
    mutating func remove(_ crc: UInt32, where isFound: (Int) -> Bool) {
        let rest = blocks[crc, default: []].filter { !isFound($0) }
        blocks[crc] = rest.isEmpty ? nil : rest
    }

    func next(_ rolling: inout sluice_rolling_crc, _ bytes: [UInt8], after position: Int, of count: Int) -> Int {
        sluice_rolling_crc_find(&rolling, bytes, position, count, filter)
    }
}
