/// The part of a file that a description speaks of: one stream, as it is and as it was made.
///
/// Each piece of the stream is proved by a hash, where it is in the file; or made from others, and then proved; or
/// lost. `check` finds that out, set by set, and `read` gives bytes of proved pieces only. For one thread at a time.
package final class ParityRegion<Origin: ParityOrigin> {
    package let description: ParityDescription
    /// Where the stream would begin in the file, as the description tells.
    let start: Int64
    fileprivate let origin: Origin
    private let isPlain: Bool
    fileprivate var summaries: [Int: SetSummary] = [:]
    /// Sets of which too much would have to be remembered.
    private var unlisted: [Int: SetFinding] = [:]
    private let budget: SearchBudget
    /// The number of this region among all of the file.
    private let number: Int
    /// The distances at which blocks of the last set that was checked lie.
    private var distances: [Int64]
    private var tail = Tail.lost

    /// What became of the bytes after the last description.
    private enum Tail {
        case found(at: UInt64)
        case made([UInt8])
        case lost
    }

    /// - Parameters:
    ///   - budget: that of all regions of the file.
    ///   - isPlain: whether ISA-L is left out, which changes no byte.
    package init(_ origin: Origin, _ found: FoundDescription, _ budget: SearchBudget, isPlain: Bool = false) {
        (self.origin, self.budget, self.isPlain) = (origin, budget, isPlain)
        (description, start) = (found.description, found.start)
        number = budget.nextRegion()
        // If the file begins with a stream of which bytes are missing, what is before these is where it was written.
        distances = start < 0 ? [0, -start] : [0]
    }

    /// Bytes of the stream as it was made.
    package var size: UInt64 { description.size }

    /// The most bytes that it holds: computed blocks of a set, sums, and what proves its blocks; the seek table, and
    /// lists of what is in it.
    package var memory: Int { 3 * (description.sets.map(\.frameSize).max() ?? 0) + 6 * (description.tail?.memory ?? 0) }

    // MARK: Finding out

    /// Finds out what is left of a set, and what can be computed.
    @discardableResult
    package func check(_ set: Int) throws(Origin.Failure) -> SetFinding {
        if let finding = summaries[set]?.finding ?? unlisted[set] { return finding }
        budget.held = nil
        let found = try BlockSearch(origin, description, set, start: start, distances: distances, budget).run()
        distances = found.distances
        let table = try computed(found.table)
        budget.noteWork(UInt64(table.set.allCount * table.set.blockSize) + work(of: table))
        let summary = SetSummary(
            table, header: found.header, records: found.records, recordPlaces: found.recordPlaces,
            distances: found.distances)
        if budget.takeRuns(summary.runCount) {
            (summaries[set], budget.held) = (summary, SearchBudget.Held(region: number, table: table))
        } else {
            unlisted[set] = summary.finding
        }
        return summary.finding
    }

    /// Finds out where the bytes after the last description are, when all sets have been checked.
    ///
    /// - Returns: false if they are nowhere, and have to be made.
    package func findTail() throws(Origin.Failure) -> Bool {
        guard let wanted = description.tail else { return true }
        for distance in distances {
            let place = start + Int64(description.tailStart) + distance
            guard wanted.size <= ParityDescription.Tail.mostMade, origin.has(place, count: Int(wanted.size)),
                budget.takeTry(of: Int(wanted.size)),
                let bytes = try origin.bytes(at: UInt64(place), count: Int(wanted.size)),
                wanted == ParityDescription.Tail(bytes.span.bytes)
            else { continue }
            tail = .found(at: UInt64(place))
            return true
        }
        return take(tail: [])
    }

    /// Takes what may be the bytes after the last description.
    ///
    /// - Returns: whether these are the ones that were written.
    package func take(tail bytes: [UInt8]) -> Bool {
        guard description.tail == ParityDescription.Tail(bytes.span.bytes), budget.takeTail(of: bytes.count) else {
            return false
        }
        tail = .made(bytes)
        return true
    }

    /// The table of a set that has been checked, made again if another one is held; nil if that was done too often.
    private func table(_ set: Int) throws(Origin.Failure) -> BlockTable? {
        if let held = budget.held, held.region == number, held.table.number == set { return held.table }
        guard let summary = summaries[set], budget.allowsRemakes else { return nil }
        budget.held = nil
        var table = BlockTable(description.sets[set], number: set)
        table.shifts = summary.shifts(count: table.set.allCount)
        guard budget.takeRemake(of: work(of: table)) else { return nil }
        for (group, place) in summary.recordPlaces.enumerated() {
            guard let place, let record = try origin.bytes(at: place, count: table.set.recordSize(of: group)) else {
                continue
            }
            _ = table.take(record.span.bytes, group)
        }
        if !summary.computed.isEmpty { table = try computed(table) }
        budget.held = SearchBudget.Held(region: number, table: table)
        return table
    }

    /// What making a table again takes: bytes of its records, and of its blocks for each sum to which they are added.
    private func work(of table: BlockTable) -> UInt64 {
        let sums = (0..<table.set.groups).reduce(0) { count, group in
            let missing = table.missing(in: group).count
            return missing <= table.set.rows ? count + missing : count
        }
        let blocks = sums * (table.set.allCount / table.set.groups + 1) * table.set.blockSize
        return UInt64(2 * table.set.recordsSize + blocks)
    }

    private func computed(_ table: BlockTable) throws(Origin.Failure) -> BlockTable {
        let (start, description, number) = (start, description, table.number)
        return try BlockRepair(origin, table, isPlain: isPlain) { index in
            start + Int64(description.range(of: index, in: number).lowerBound)
        }.run()
    }

    // MARK: Reading

    /// Fills the memory with bytes of the stream as it was made.
    ///
    /// - Returns: false if one of these pieces is lost, does not prove itself any more, or was made too often.
    package func read(at offset: UInt64, into memory: UnsafeMutableRawBufferPointer) throws(Origin.Failure) -> Bool {
        var (offset, rest) = (offset, memory)
        while !rest.isEmpty {
            guard offset < size else { return false }
            let element = description.elements[description.element(at: offset)]
            let piece = try piece(at: offset, of: element)
            let count = Int(min(UInt64(rest.count), piece.range.upperBound - offset))
            let part = UnsafeMutableRawBufferPointer(rebasing: rest[..<count])
            guard try read(piece, from: offset - piece.range.lowerBound, part) else { return false }
            offset += UInt64(count)
            rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }

    private struct Piece {
        enum Content {
            case block(set: Int, index: Int)
            case known([UInt8])
            case tail
            case lost
        }

        let content: Content
        let range: Range<UInt64>
    }

    private func piece(at offset: UInt64, of element: ParityDescription.Element) throws(Origin.Failure) -> Piece {
        switch element.kind {
        case .tail: return Piece(content: .tail, range: element.range)
        case .description: return Piece(content: .known(description.encoded(at: element)), range: element.range)
        case .data(let set):
            let index = Int((offset - element.range.lowerBound) / UInt64(description.sets[set].blockSize))
            return block(index, of: set)
        case .frame(let number):
            let set = description.sets[number]
            let (place, start) = (Int(offset - element.range.lowerBound), element.range.lowerBound)
            func piece(_ content: Piece.Content, _ first: Int, _ count: Int) -> Piece {
                Piece(content: content, range: start + UInt64(first)..<start + UInt64(first + count))
            }
            if place < ParityFrame.headerSize {
                let header = ParityFrame.set.header(frameSize: set.frameSize)
                return piece(.known(header), 0, header.count)
            }
            let parity = set.recordsStart(copy: 0) + set.recordsSize
            if place >= parity, place < parity + set.paritySize {
                return block(set.blockCount + (place - parity) / set.blockSize, of: number)
            }
            let records = try table(number)?.records
            let first = set.recordsStart(copy: place < parity ? 0 : 1)
            return piece(records.map { .known($0) } ?? .lost, first, set.recordsSize)
        }
    }

    private func block(_ index: Int, of set: Int) -> Piece {
        Piece(content: .block(set: set, index: index), range: description.range(of: index, in: set))
    }

    private func read(
        _ piece: Piece, from offset: UInt64, _ memory: UnsafeMutableRawBufferPointer
    ) throws(Origin.Failure) -> Bool {
        switch piece.content {
        case .known(let bytes):
            copy(bytes, from: offset, to: memory)
            return true
        case .block(let set, let index): return try read(index, of: set, from: offset, memory)
        case .tail:
            switch tail {
            case .found(let place): try origin.read(at: place + offset, into: memory)
            case .made(let bytes): copy(bytes, from: offset, to: memory)
            case .lost: return false
            }
            return true
        case .lost: return false
        }
    }

    /// Reads a block, and proves what was read.
    private func read(
        _ index: Int, of set: Int, from offset: UInt64, _ memory: UnsafeMutableRawBufferPointer
    ) throws(Origin.Failure) -> Bool {
        guard let table = try table(set) else { return false }
        if let block = budget.held?.block, block.index == index {
            copy(block.bytes, from: offset, to: memory)
            return true
        }
        if let bytes = table.computed[index] {
            copy(bytes, from: offset, to: memory)
            return true
        }
        guard let shift = table.shifts[index], let mark = table.marks[index] else { return false }
        let place = UInt64(start + Int64(description.range(of: index, in: set).lowerBound) + shift)
        let size = table.set.size(of: index)
        if memory.count == size {
            try origin.read(at: place, into: memory)
            return xxh64(UnsafeRawBufferPointer(memory).bytes) == mark.hash
        }
        var bytes = [UInt8](repeating: 0, count: size)
        try origin.fill(&bytes, size, from: place)
        guard xxh64(bytes.span.bytes) == mark.hash else { return false }
        copy(bytes, from: offset, to: memory)
        budget.held?.block = (index, bytes)
        return true
    }

    // MARK: The plan

    /// What has become of the stream.
    ///
    /// - Parameter room: where in the file the stream may be.
    /// - Returns: nil if nothing in the file proves itself.
    package func plan(within room: Range<UInt64>) throws(Origin.Failure) -> RegionPlan? {
        var planner = RegionPlanner(within: room)
        let anchors = self.anchors(within: room)
        for element in description.elements {
            switch element.kind {
            case .data(let set): plan(0..<description.sets[set].blockCount, of: set, anchors, &planner)
            case .frame(let set): planFrame(set, element.range, anchors, &planner)
            case .description:
                let place = try place(of: description.encoded(at: element), at: element.range.lowerBound)
                planner.append(element.range, at: place, else: .known)
            case .tail where element.range.isEmpty: break
            case .tail:
                switch tail {
                case .found(let place): planner.append(element.range, at: Int64(place), else: .known)
                case .made: planner.append(element.range, at: nil, else: .known)
                case .lost:
                    let isRead = UInt64(element.range.count) <= ParityDescription.Tail.mostMade
                    planner.append(element.range, at: nil, else: isRead ? .lost : .unproved)
                }
            }
        }
        return planner.finish(isEnd: description.tail != nil)
    }

    private func place(of bytes: [UInt8], at offset: UInt64) throws(Origin.Failure) -> Int64? {
        for distance in distances {
            let place = start + Int64(offset) + distance
            if try origin.has(bytes, at: place) { return place }
        }
        return nil
    }

    private func planFrame(
        _ number: Int, _ range: Range<UInt64>, _ anchors: [Int: RangeSet<Int>], _ planner: inout RegionPlanner
    ) {
        let (set, summary) = (description.sets[number], summaries[number])
        func append(_ first: Int, _ count: Int, _ distance: Int64?, else kind: RegionPlan.Kind) {
            let piece = range.lowerBound + UInt64(first)..<range.lowerBound + UInt64(first + count)
            planner.append(piece, at: distance.map { start + Int64(piece.lowerBound) + $0 }, else: kind)
        }
        func appendRecords(copy: Int) {
            append(
                set.recordsStart(copy: copy), set.recordsSize, summary?.records[copy],
                else: summary?.hasAllRecords == true ? .known : .unproved)
        }
        append(0, ParityFrame.headerSize, summary?.header, else: .known)
        appendRecords(copy: 0)
        plan(set.blockCount..<set.allCount, of: number, anchors, &planner)
        appendRecords(copy: 1)
    }

    private func plan(
        _ blocks: Range<Int>, of number: Int, _ anchors: [Int: RangeSet<Int>], _ planner: inout RegionPlanner
    ) {
        let set = description.sets[number]
        guard let summary = summaries[number] else {
            let end = description.range(of: blocks.upperBound - 1, in: number).upperBound
            let start = description.range(of: blocks.lowerBound, in: number).lowerBound
            return planner.append(start..<end, at: nil, else: .unproved)
        }
        let shifts = summary.shifts(count: set.allCount)
        var computed = summary.computed[...]
        for index in blocks {
            while let first = computed.first, first.upperBound <= index { computed.removeFirst() }
            let range = description.range(of: index, in: number)
            guard let shift = shifts[index] else {
                let isMarked = summary.recordPlaces[set.owner(of: index).group] != nil
                let isKnown = computed.first?.contains(index) == true
                planner.append(range, at: nil, else: isKnown ? .known : isMarked ? .lost : .unproved)
                continue
            }
            let isAnchor = anchors[number]?.contains(index) == true
            planner.append(range, at: isAnchor ? start + Int64(range.lowerBound) + shift : nil, else: .known)
        }
    }
}

extension ParityRegion {
    /// The blocks of each set that say where their neighbours are.
    ///
    /// One block alone at a distance may be a copy of what was written there, and so may several. So where blocks do
    /// not lie in the order of the stream, those count at whose distance more of them lie.
    fileprivate func anchors(within room: Range<UInt64>) -> [Int: RangeSet<Int>] {
        var weights: [Int64: Int] = [:]
        for summary in summaries.values {
            for run in summary.runs { weights[run.shift, default: 0] += run.blocks.count }
        }
        var found: [(set: Int, blocks: Range<Int>, old: Range<Int64>, weight: Int)] = []
        for element in description.elements {
            guard let (set, blocks) = self.blocks(of: element), let runs = summaries[set]?.runs else { continue }
            for (place, run) in runs.enumerated() {
                let part = run.blocks.clamped(to: blocks)
                guard !part.isEmpty, run.blocks.count > 1 || isIsolated(place, in: runs) else { continue }
                let old = self.place(of: part, in: set, shift: run.shift)
                guard old.lowerBound >= Int64(room.lowerBound), old.upperBound <= Int64(clamping: room.upperBound)
                else { continue }
                let weight = weights[run.shift] ?? 0
                while let last = found.last, last.old.upperBound > old.lowerBound, last.weight < weight {
                    found.removeLast()
                }
                if found.last?.old.upperBound ?? .min <= old.lowerBound { found.append((set, part, old, weight)) }
            }
        }
        var anchors: [Int: RangeSet<Int>] = [:]
        for (set, blocks, _, _) in found { anchors[set, default: RangeSet()].insert(contentsOf: blocks) }
        return anchors
    }

    /// The blocks of a set that an element has.
    private func blocks(of element: ParityDescription.Element) -> (set: Int, blocks: Range<Int>)? {
        switch element.kind {
        case .data(let set): (set, 0..<description.sets[set].blockCount)
        case .frame(let set): (set, description.sets[set].blockCount..<description.sets[set].allCount)
        case .description, .tail: nil
        }
    }

    /// Whether no block beside a run is in the file.
    private func isIsolated(_ place: Int, in runs: [SetSummary.Run]) -> Bool {
        let blocks = runs[place].blocks
        return (place == 0 || runs[place - 1].blocks.upperBound < blocks.lowerBound)
            && (place + 1 == runs.count || runs[place + 1].blocks.lowerBound > blocks.upperBound)
    }

    /// Where blocks lie in the file.
    private func place(of blocks: Range<Int>, in set: Int, shift: Int64) -> Range<Int64> {
        let first = description.range(of: blocks.lowerBound, in: set).lowerBound
        let last = description.range(of: blocks.upperBound - 1, in: set).upperBound
        return start + Int64(first) + shift..<start + Int64(last) + shift
    }
}

extension ParityDescription.Tail {
    /// The most bytes of a tail that is proved or made again.
    package static let mostMade = UInt64(256 << 20)

    fileprivate var memory: Int { size <= Self.mostMade ? Int(size) : 0 }
}

private func copy(_ bytes: [UInt8], from offset: UInt64, to memory: UnsafeMutableRawBufferPointer) {
    bytes.withUnsafeBytes { bytes in
        memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<Int(offset) + memory.count]))
    }
}

extension ParityRegion {
    /// How many bytes of the file and of the stream are the same, from the start of these ranges on or before their
    /// ends.
    package func sameBytes(
        _ old: Range<UInt64>, _ new: Range<UInt64>, isAtEnd: Bool
    ) throws(Origin.Failure) -> UInt64 {
        let most = UInt64(min(old.count, new.count))
        var (same, buffer) = (UInt64(0), [UInt8](repeating: 0, count: Int(min(most, 1 << 16))))
        while same < most {
            let count = min(most - same, UInt64(buffer.count))
            let (first, second) =
                isAtEnd
                ? (old.upperBound - same - count, new.upperBound - same - count)
                : (old.lowerBound + same, new.lowerBound + same)
            guard let bytes = try origin.bytes(at: first, count: Int(count)) else { return same }
            let isKnown = try withMemory(of: &buffer, Int(count)) { memory throws(Origin.Failure) in
                try read(at: second, into: memory)
            }
            guard isKnown else { return same }
            let other = buffer[..<Int(count)]
            let equal =
                isAtEnd
                ? zip(bytes.reversed(), other.reversed()).prefix { $0 == $1 }.count
                : zip(bytes, other).prefix { $0 == $1 }.count
            same += UInt64(equal)
            if equal < Int(count) { return same }
        }
        return same
    }

    /// What was found of each set.
    package var findings: [SetFinding] {
        description.sets.indices.compactMap { summaries[$0]?.finding ?? unlisted[$0] }
    }

    /// Whether so many places have rotted that some are not looked at.
    package var isBeyondBounds: Bool { !unlisted.isEmpty }

    /// Bytes of the stream; nil if one of them is lost.
    package func bytes(at offset: UInt64, count: Int) throws(Origin.Failure) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let areKnown = try withMemory(of: &bytes, count) { memory throws(Origin.Failure) in
            try read(at: offset, into: memory)
        }
        return areKnown ? bytes : nil
    }
}
