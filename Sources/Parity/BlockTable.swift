/// What is known of each block of a set, data and parity. A block counts only if its hash proves it.
struct BlockTable {
    let number: Int
    let set: ParitySet
    /// What proves each block; nil for those of a group whose record is lost.
    var marks: [BlockMark?]
    /// How far each block lies behind its place; nil if it is nowhere in the file.
    var shifts: [Int64?]
    /// Blocks that are nowhere, were computed, and have proved themselves.
    var computed: [Int: [UInt8]] = [:]

    init(_ set: ParitySet, number: Int) {
        (self.set, self.number) = (set, number)
        marks = Array(repeating: nil, count: set.allCount)
        shifts = Array(repeating: nil, count: set.allCount)
    }

    /// Whether the record of a group is known.
    func isMarked(_ group: Int) -> Bool { marks[set.index(0, in: group)] != nil }

    /// The blocks of a group that are nowhere in the file, by their numbers in it.
    func missing(in group: Int) -> [Int] {
        (0..<set.count(in: group) + set.rows).filter { shifts[set.index($0, in: group)] == nil }
    }

    /// Whether each group has as much parity as it needs.
    var isComputable: Bool { (0..<set.groups).allSatisfy { isMarked($0) && missing(in: $0).count <= set.rows } }

    /// The records of all groups; nil if one is lost.
    var records: [UInt8]? {
        let known = marks.compactMap(\.self)
        return known.count == marks.count ? set.records(number: number, known) : nil
    }

    /// Takes a record if it is that of a group.
    mutating func take(_ record: RawSpan, _ group: Int) -> Bool {
        guard let marks = GroupRecord.decoded(record, set: number, group: group) else { return false }
        for (number, mark) in marks.enumerated() { self.marks[set.index(number, in: group)] = mark }
        return true
    }
}

/// What of a table is remembered for all sets of a stream: little of a set that is whole.
struct SetSummary {
    /// Blocks that follow one another and lie at one distance behind their places.
    struct Run {
        var blocks: Range<Int>
        let shift: Int64
    }

    /// The blocks that are in the file, in order.
    private(set) var runs: [Run] = []
    /// The blocks that can be computed, in order.
    private(set) var computed: [Range<Int>] = []
    /// How far the header and both copies of all records lie behind their places; nil where they are damaged.
    let header: Int64?
    let records: [Int64?]
    /// Where the record of each group is in the file; nil if it is lost.
    let recordPlaces: [UInt64?]
    /// The distances at which blocks lie, of which new ones are noted last.
    let distances: [Int64]
    private(set) var finding = SetFinding()

    init(
        _ table: BlockTable, header: Int64?, records: [Int64?], recordPlaces: [UInt64?], distances: [Int64]
    ) {
        (self.header, self.records, self.recordPlaces) = (header, records, recordPlaces)
        self.distances = distances
        for (index, shift) in table.shifts.enumerated() {
            if let shift {
                if let last = runs.last, last.blocks.upperBound == index, last.shift == shift {
                    runs[runs.count - 1].blocks = last.blocks.lowerBound..<index + 1
                } else {
                    runs.append(Run(blocks: index..<index + 1, shift: shift))
                }
            } else if table.computed[index] != nil {
                if let last = computed.last, last.upperBound == index {
                    computed[computed.count - 1] = last.lowerBound..<index + 1
                } else {
                    computed.append(index..<index + 1)
                }
            }
            finding.count(index, shift, table)
        }
    }

    /// How many runs would take as much memory as all of it.
    var runCount: Int { 1 + runs.count + computed.count + recordPlaces.count / 32 }

    /// Whether the records of all groups are known.
    var hasAllRecords: Bool { !recordPlaces.contains(nil) }

    /// How far each block lies behind its place.
    func shifts(count: Int) -> [Int64?] {
        var shifts = [Int64?](repeating: nil, count: count)
        for run in runs { for index in run.blocks { shifts[index] = run.shift } }
        return shifts
    }
}

/// What was found of a set.
package struct SetFinding: Equatable, Sendable {
    /// Blocks of data that are nowhere in the file.
    package var rottenData = 0
    /// Blocks of parity that are nowhere.
    package var rottenParity = 0
    /// Blocks that are elsewhere in the file.
    package var moved = 0
    /// Blocks that were computed.
    package var computed = 0
    /// Blocks of both kinds that can be neither proved nor computed.
    package var lost = 0

    fileprivate mutating func count(_ index: Int, _ shift: Int64?, _ table: BlockTable) {
        if let shift {
            if shift != 0 { moved += 1 }
            return
        }
        if table.marks[index] != nil {
            if table.set.isData(index) { rottenData += 1 } else { rottenParity += 1 }
        }
        if table.computed[index] == nil { lost += 1 } else { computed += 1 }
    }
}
