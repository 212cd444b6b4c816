import Glibc
import Testing

@testable import Parity

/// Files with parity that chance has damaged: bits, sectors, runs, cuts and insertions. What is within the code's power
/// is counted here, from what was done to the file, and must be repaired; nothing else is ever wrong and called whole.
@Suite(.timeLimit(.minutes(10)))
struct ParityDamageTests {
    /// `scripts/campaign parity` asks for more of them, from another seed on.
    private static let count = getenv("SLUICE_RUNS").flatMap { Int(String(cString: $0)) } ?? 280
    private static let seed = getenv("SLUICE_SEED").flatMap { Int(String(cString: $0)) } ?? 1
    private static let lanes = 8

    /// A damaged file, of which each byte is known by where it was; nil for one that was not there.
    private struct DamagedFile {
        var bytes: [UInt8]
        private(set) var origins: [Int?]

        init(_ file: [UInt8]) { (bytes, origins) = (file, file.indices.map { $0 }) }

        mutating func damage(_ dice: inout Dice) {
            if bytes.isEmpty { return }
            let place = Int.random(in: 0..<bytes.count, using: &dice)
            func most(_ count: Int) -> Range<Int> {
                place..<min(bytes.count, place + Int.random(in: 1...count, using: &dice))
            }
            switch Int.random(in: 0...9, using: &dice) {
            case 0...2: change(place..<place + 1) { $0 ^ 1 << 3 }
            case 3...4: change(place / 64 * 64..<min(bytes.count, place / 64 * 64 + 64)) { _ in 0 }
            case 5: change(most(300)) { ~$0 }
            case 6: change(most(3000)) { $0 &+ 77 }
            case 7:
                let range = most(700)
                bytes.removeSubrange(range)
                origins.removeSubrange(range)
            case 8:
                let new = dice.bytes(Int.random(in: 1...700, using: &dice))
                bytes.insert(contentsOf: new, at: place)
                origins.insert(contentsOf: new.map { _ in nil }, at: place)
            default:
                guard Bool.random(using: &dice) else { return change(place..<place + 1) { $0 ^ 0x80 } }
                bytes.removeSubrange(place...)
                origins.removeSubrange(place...)
            }
        }

        private mutating func change(_ range: Range<Int>, _ change: (UInt8) -> UInt8) {
            for offset in range {
                let new = change(bytes[offset])
                if new != bytes[offset] { (bytes[offset], origins[offset]) = (new, nil) }
            }
        }

        /// Where each byte of the file before is now.
        var places: [Int: Int] {
            var places: [Int: Int] = [:]
            for (place, origin) in origins.enumerated() { if let origin { places[origin] = place } }
            return places
        }
    }

    /// Whether the bytes of a range lie together, and how far from where they were; nil if not.
    private static func shift(_ range: Range<UInt64>, _ places: [Int: Int]) -> Int? {
        guard let first = places[Int(range.lowerBound)] else { return nil }
        let shift = first - Int(range.lowerBound)
        return range.allSatisfy { places[Int($0)] == Int($0) + shift } ? shift : nil
    }

    /// Whether the code can repair all sets: a description is left, of each group a record, and enough blocks.
    private static func isWithinPower(_ description: ParityDescription, _ file: DamagedFile) -> Bool {
        let places = file.places
        let size = UInt64(description.frameSize)
        let descriptions = description.lastPositions.sorted().compactMap { shift($0..<$0 + size, places) }
        guard let start = descriptions.last else { return false }
        for (number, set) in description.sets.enumerated() {
            for group in 0..<set.groups {
                let records = (0..<2).contains { copy in
                    let offset = set.recordsStart(copy: copy) + set.recordOffset(of: group)
                    let start = description.frameStart(of: number) + UInt64(offset)
                    return shift(start..<start + UInt64(set.recordSize(of: group)), places) != nil
                }
                let lost = (0..<set.count(in: group) + set.rows).filter { block in
                    let index = set.index(block, in: group)
                    guard let shift = shift(description.range(of: index, in: number), places) else { return true }
                    // A short block is found only where it was before the description.
                    return shift != start && set.size(of: index) < set.blockSize
                }
                if !records || lost.count > set.rows { return false }
            }
        }
        return true
    }

    /// The file after the changes of a plan.
    private static func changed(
        _ bytes: [UInt8], _ plan: RegionPlan, _ region: ParityRegion<Damaged>
    ) -> [UInt8]? {
        var changed: [UInt8] = []
        func append(_ range: Range<UInt64>) -> Bool {
            guard let new = region.bytes(at: range.lowerBound, count: range.count) else { return false }
            changed += new
            return true
        }
        for piece in plan.front where piece.kind == .known { guard append(piece.range) else { return nil } }
        for element in plan.elements {
            if element.kind == .known {
                guard append(element.new) else { return nil }
            } else {
                changed += bytes[Int(element.old.lowerBound)..<Int(element.old.upperBound)]
            }
        }
        for piece in plan.back where piece.kind == .known { guard append(piece.range) else { return nil } }
        return changed
    }

    /// What is wrong with the list of elements, if anything is: it has each byte of the stream, and all of the file
    /// between its ends.
    private static func gap(in plan: RegionPlan, of size: UInt64) -> String? {
        var (old, new) = (plan.input.lowerBound, UInt64(0))
        for piece in plan.front {
            if piece.range.lowerBound != new { return "a piece is left out at the front" }
            new = piece.range.upperBound
        }
        for element in plan.elements {
            if element.old.lowerBound != old || element.new.lowerBound != new { return "an element is left out" }
            (old, new) = (element.old.upperBound, element.new.upperBound)
            if element.kind == .own, !element.isInPlace { return "an element of the file has two sizes" }
        }
        for piece in plan.back {
            if piece.range.lowerBound != new { return "a piece is left out at the back" }
            new = piece.range.upperBound
        }
        return new == size && old == plan.input.upperBound ? nil : "the end is left out"
    }

    /// What is wrong with the repair of a damaged file, if anything is.
    private static func flaw(_ sample: Sample, _ damaged: DamagedFile, isWithin: Bool) throws -> String? {
        let description = try sample.description
        guard let region = Damaged(bytes: damaged.bytes).region else { return isWithin ? "no description" : nil }
        let end = Int(description.tailStart)
        let isAll = region.description == description
        let frames = region.frames
        if isWithin, !isAll || frames == nil { return "not repaired" }
        if let frames, !frames.elementsEqual(sample.file[..<frames.count]) { return "wrong, and called proved" }
        guard let plan = region.plan(within: 0..<UInt64(damaged.bytes.count)) else { return nil }
        // What is changed becomes what was written, whether all is or not.
        guard let changed = changed(damaged.bytes, plan, region) else { return "a change that is not proved" }
        if plan.isComplete, !changed.elementsEqual(sample.file) { return "changed to another file" }
        if isWithin, !changed.starts(with: sample.file[..<end]), sample.tail.isEmpty {
            return "not changed to the file"
        }
        for element in plan.elements {
            let (old, new) = (
                Int(element.old.lowerBound)..<Int(element.old.upperBound),
                Int(element.new.lowerBound)..<Int(element.new.upperBound)
            )
            if element.kind == .own, !damaged.bytes[old].elementsEqual(sample.file[new]) {
                return "other bytes are called the stream's own"
            }
            if element.kind == .lost, element.isInPlace, damaged.bytes[old].elementsEqual(sample.file[new]) {
                return "bytes that are there are called lost"
            }
            guard element.kind == .known else { continue }
            let known = region.bytes(at: element.new.lowerBound, count: element.new.count)
            if known?.elementsEqual(sample.file[new]) != true { return "changed to other bytes" }
        }
        return gap(in: plan, of: region.size)
    }

    @Test(arguments: 0..<lanes) func `what is within the power of the code is repaired, and nothing is wrong`(lane: Int)
        throws
    {
        var (within, wrong) = (0, [String]())
        for round in stride(from: lane, to: Self.count, by: Self.lanes) {
            var dice = Dice(Self.seed &* 1_000_003 &+ round)
            let sample = Sample.random(&dice, most: 20_000)
            var damaged = DamagedFile(sample.file)
            for _ in 0..<([1, 1, 2, 3, 6].randomElement(using: &dice) ?? 1) { damaged.damage(&dice) }
            let isWithin = Self.isWithinPower(try sample.description, damaged)
            if isWithin { within += 1 }
            if let flaw = try Self.flaw(sample, damaged, isWithin: isWithin) { wrong.append("\(round): \(flaw)") }
        }
        #expect(wrong == [])
        // Otherwise chance would not try what it should.
        if Self.count >= 200 { #expect(within > 0) }
        if Self.count >= 1000 { print("\(within) within the code's power") }
    }
}
