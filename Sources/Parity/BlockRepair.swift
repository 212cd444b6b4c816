/// Computes the blocks of a set that are nowhere in the file, in one pass over those that are.
struct BlockRepair<Origin: ParityOrigin> {
    private let origin: Origin
    private let place: (Int) -> Int64
    private let isPlain: Bool
    private var table: BlockTable
    private var groups: [Int: GroupRepair] = [:]
    /// The sums of all groups.
    private var sums: [UInt8] = []

    /// - Parameter place: where a block would be in the file.
    init(_ origin: Origin, _ table: BlockTable, isPlain: Bool, place: @escaping (Int) -> Int64) {
        (self.origin, self.table, self.isPlain, self.place) = (origin, table, isPlain, place)
    }

    private var set: ParitySet { table.set }

    /// The table, with what could be computed.
    consuming func run() throws(Origin.Failure) -> BlockTable {
        var repair = self
        for group in 0..<repair.set.groups { repair.begin(group) }
        if repair.groups.isEmpty { return repair.table }
        repair.sums = [UInt8](repeating: 0, count: repair.sumsSize)
        try repair.addBlocks()
        for group in repair.groups.keys.sorted() { try repair.solve(group) }
        return repair.table
    }

    private var sumsSize: Int { table.set.blockSize * groups.values.reduce(0) { $0 + $1.sums.count } }

    /// Plans the sums that a group needs, if it has enough parity.
    private mutating func begin(_ group: Int) {
        let (count, missing) = (set.count(in: group), table.missing(in: group))
        guard !missing.isEmpty, missing.count <= set.rows, table.isMarked(group) else { return }
        let lost = missing.filter { $0 < count }
        let lostRows = missing.filter { $0 >= count }.map { $0 - count }
        let rows = Array((0..<set.rows).filter { !lostRows.contains($0) }.prefix(lost.count))
        let offset = sumsSize
        let sums = (0..<lost.count + lostRows.count).map { offset + set.blockSize * $0 }
        groups[group] = GroupRepair(blocks: lost, rows: rows, lostRows: lostRows, sums: sums)
    }

    private mutating func addBlocks() throws(Origin.Failure) {
        var buffer = [UInt8](repeating: 0, count: set.blockSize)
        for index in 0..<set.allCount {
            let (group, number) = set.owner(of: index)
            guard let shift = table.shifts[index], let repair = groups[group] else { continue }
            let row = set.isData(index) ? nil : repair.rows.firstIndex(of: number - set.count(in: group))
            if !set.isData(index), row == nil { continue }
            try origin.fill(&buffer, set.size(of: index), from: UInt64(place(index) + shift))
            let block = buffer.span.bytes.extracting(..<set.size(of: index))
            if let row {
                ParityCode.add(block, by: [1], to: &sums, at: [repair.sums[row]], isPlain: isPlain)
            } else {
                let factors = (repair.rows + repair.lostRows).map { factor($0, number) }
                ParityCode.add(block, by: factors, to: &sums, at: repair.sums, isPlain: isPlain)
            }
        }
    }

    private func factor(_ row: Int, _ number: Int) -> UInt8 {
        ParityCode.factor(capacity: set.capacity, row: row, block: number)
    }

    /// Computes the missing blocks of data, and with them those of parity.
    private mutating func solve(_ group: Int) throws(Origin.Failure) {
        guard let repair = groups[group] else { return }
        let inverse = ParityCode.inverse(capacity: set.capacity, rows: repair.rows, blocks: repair.blocks)
        let count = repair.blocks.count
        for (place, number) in repair.blocks.enumerated() {
            try origin.checkCancelled()
            let index = set.index(number, in: group)
            var block = [UInt8](repeating: 0, count: set.blockSize)
            for row in 0..<count {
                let sum = sums.span.bytes.extracting(repair.sums[row]..<repair.sums[row] + set.blockSize)
                ParityCode.add(sum, by: [inverse[place * count + row]], to: &block, at: [0], isPlain: isPlain)
            }
            block.removeLast(set.blockSize - set.size(of: index))
            ParityCode.add(
                block.span.bytes, by: repair.lostRows.map { factor($0, number) }, to: &sums,
                at: Array(repair.sums[count...]), isPlain: isPlain)
            take(block, at: index)
        }
        for (row, start) in zip(repair.lostRows, repair.sums[count...]) {
            take(Array(sums[start..<start + set.blockSize]), at: set.index(set.count(in: group) + row, in: group))
        }
    }

    /// Takes a block that was computed, if it proves itself.
    private mutating func take(_ block: [UInt8], at index: Int) {
        if table.marks[index]?.hash == xxh64(block.span.bytes) { table.computed[index] = block }
    }
}

/// What is computed for a group.
private struct GroupRepair {
    /// Its missing data blocks, by their number in it.
    let blocks: [Int]
    /// As many parity rows that are there.
    let rows: [Int]
    /// The parity rows that are gone.
    let lostRows: [Int]
    /// Where the sums for these rows, and for those that are gone, lie in memory.
    let sums: [Int]
}
