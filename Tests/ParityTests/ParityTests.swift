import Testing

@testable import Parity

struct ParityTests {
    @Test(arguments: 0..<20) func `a whole stream is found whole, and reads as it is`(seed: Int) throws {
        var dice = Dice(seed)
        let sample = Sample.random(&dice)
        let region = try #require(Damaged(bytes: sample.file).region)
        let size = UInt64(sample.file.count)
        #expect(region.size == size)
        #expect(region.plan(within: 0..<size)?.isWhole == true)
        #expect(region.plan(within: 0..<size)?.input == 0..<size)
        #expect(region.prefix(sample.file.count) == sample.file)
    }

    @Test(arguments: 0..<60) func `rot of as many blocks as each group has parity is repaired`(seed: Int) throws {
        var dice = Dice(seed)
        let sample = Sample.random(&dice)
        let description = try sample.description
        var bytes = sample.file
        for (number, set) in description.sets.enumerated() {
            let frame = Int(description.frameStart(of: number))
            for group in 0..<set.groups {
                let all = (0..<set.count(in: group) + set.rows).shuffled(using: &dice)
                for block in all.prefix(Int.random(in: 0...set.rows, using: &dice)) {
                    let range = description.range(of: set.index(block, in: group), in: number)
                    bytes[Int(range.lowerBound)] ^= UInt8.random(in: 1...255, using: &dice)
                    bytes[Int(range.upperBound) - 1] = UInt8.random(in: 0...255, using: &dice)
                }
                // One of the two records.
                let record =
                    frame + set.recordsStart(copy: Int.random(in: 0...1, using: &dice)) + set.recordOffset(of: group)
                bytes[record + Int.random(in: 0..<set.recordSize(of: group), using: &dice)] ^= 1
            }
            bytes[frame + Int.random(in: 0..<16, using: &dice)] ^= 4
        }
        // All descriptions but one of the last two.
        let kept = description.lastPositions.randomElement(using: &dice)
        for element in description.elements where element.range.lowerBound != kept {
            guard case .description = element.kind else { continue }
            bytes[Int(element.range.lowerBound) + Int.random(in: 0..<element.range.count, using: &dice)] ^= 1
        }
        let region = try #require(Damaged(bytes: bytes).region)
        #expect(region.prefix(sample.file.count) == sample.file)
        let plan = try #require(region.plan(within: 0..<UInt64(bytes.count)))
        #expect(plan.isComplete && !plan.isWhole)
        #expect(region.findings.allSatisfy { $0.lost == 0 })
    }

    @Test(arguments: 0..<60) func `the least that the code needs is enough, wherever it lies`(seed: Int) throws {
        var dice = Dice(seed)
        let sample = Sample.random(&dice, most: [200, 2000, 10_000].randomElement(using: &dice) ?? 200)
        let description = try sample.description
        var kept: [Range<UInt64>] = []
        let place = try #require(description.lastPositions.randomElement(using: &dice))
        kept.append(place..<place + UInt64(description.frameSize))
        for (number, set) in description.sets.enumerated() {
            for group in 0..<set.groups {
                let copy = set.recordsStart(copy: Int.random(in: 0...1, using: &dice)) + set.recordOffset(of: group)
                let record = description.frameStart(of: number) + UInt64(copy)
                kept.append(record..<record + UInt64(set.recordSize(of: group)))
                // A short block is found only where it was.
                let blocks = (0..<set.count(in: group) + set.rows).map { set.index($0, in: group) }
                    .filter { set.size(of: $0) == set.blockSize }.shuffled(using: &dice)
                kept += blocks.prefix(set.count(in: group)).map { description.range(of: $0, in: number) }
            }
        }
        kept.sort { $0.lowerBound < $1.lowerBound }
        let bytes = kept.flatMap { sample.file[Int($0.lowerBound)..<Int($0.upperBound)] }
        let region = try #require(Damaged(bytes: bytes).region)
        #expect(region.description == description)
        let areSame = region.frames?.elementsEqual(sample.file[..<Int(description.tailStart)])
        #expect(areSame == true)
    }

    @Test(arguments: 0..<60) func `one run of rot up to the share of a set less two blocks is repaired anywhere`(
        seed: Int
    ) throws {
        var dice = Dice(seed)
        let sample = Sample.random(&dice)
        let description = try sample.description
        // Of a batch of several sets, a run at the end of one takes more of the next, which may have less parity.
        let batches = description.elements.filter { if case .description = $0.kind { true } else { false } }
        guard batches.count == 2 * description.sets.count,
            let number = description.sets.indices.randomElement(using: &dice)
        else { return }
        let set = description.sets[number]
        let start = Int(description.range(of: 0, in: number).lowerBound)
        let end = Int(description.frameStart(of: number)) + set.frameSize
        let most = min(set.paritySize - 2 * set.blockSize, end - start)
        guard most > 0 else { return }
        let run = Int.random(in: start...end - most, using: &dice)
        var bytes = sample.file
        for offset in run..<run + most { bytes[offset] ^= 0x55 }
        let region = try #require(Damaged(bytes: bytes).region)
        #expect(region.prefix(sample.file.count) == sample.file)
    }

    @Test(arguments: 0..<40) func `where the end is lost, the descriptions of earlier batches repair what they know`(
        seed: Int
    ) throws {
        var dice = Dice(seed)
        var shape = ParityEncoder.Shape()
        (shape.keptSize, shape.firstBlockSize, shape.blockSize, shape.groups) = (500, 64, 64, 1)
        let sizes = (0..<8).map { _ in Int.random(in: 1...9000, using: &dice) }
        let sample = Sample(sizes, tail: 100, ParityShare(percent: 10), shape, &dice)
        let description = try sample.description
        let ends = description.elements.compactMap { element in
            if case .description(let sets) = element.kind, sets < description.sets.count {
                element.range.upperBound
            } else {
                nil
            }
        }
        // After the second one of a batch.
        guard let end = ends.enumerated().filter({ $0.offset % 2 == 1 }).randomElement(using: &dice)?.element else {
            return
        }
        var bytes = Array(sample.file[..<Int(end)])
        bytes[Int.random(in: bytes.indices, using: &dice)] ^= 1
        let region = try #require(Damaged(bytes: bytes).region)
        #expect(region.frames.map { $0.elementsEqual(sample.file[..<$0.count]) } == true)
        // It is not known what else there was.
        #expect(region.plan(within: 0..<UInt64(bytes.count))?.isComplete == false)
    }

    @Test(arguments: 0..<10) func `ISA-L changes no byte`(seed: Int) {
        var (dice, other) = (Dice(seed), Dice(seed))
        let areSame = Sample.random(&dice, isPlain: true).file == Sample.random(&other, isPlain: false).file
        #expect(areSame)
    }

    @Test(arguments: 1...254) func `any square part of the matrix has the inverse that is computed`(capacity: Int) {
        var dice = Dice(capacity)
        let most = min(capacity, 255 - capacity, 40)
        guard most > 0 else { return }
        let count = Int.random(in: 1...most, using: &dice)
        let rows = Array((0..<255 - capacity).shuffled(using: &dice).prefix(count))
        let blocks = Array((0..<capacity).shuffled(using: &dice).prefix(count))
        let inverse = ParityCode.inverse(capacity: capacity, rows: rows, blocks: blocks)
        // Each block is recovered from the sums of all.
        let data = dice.bytes(count)
        let sums = rows.map { row in
            zip(blocks, data).reduce(UInt8(0)) { sum, pair in
                var target: [UInt8] = [sum]
                let factor = ParityCode.factor(capacity: capacity, row: row, block: pair.0)
                ParityCode.add([pair.1].span.bytes, by: [factor], to: &target, at: [0], isPlain: true)
                return target[0]
            }
        }
        var back: [UInt8] = []
        for block in 0..<count {
            var target: [UInt8] = [0]
            for row in 0..<count {
                let sum = [sums[row]]
                ParityCode.add(
                    sum.span.bytes, by: [inverse[block * count + row]], to: &target, at: [0], isPlain: true)
            }
            back += target
        }
        #expect(back == data)
    }

    @Test(.timeLimit(.minutes(4)), arguments: 0..<400) func `hostile descriptions are refused or bounded`(
        seed: Int
    ) throws {
        var dice = Dice(seed)
        let sample = Sample.random(&dice, most: 3000)
        let description = try sample.description
        var bytes = sample.file
        for element in description.elements {
            guard case .description = element.kind else { continue }
            let start = Int(element.range.lowerBound)
            for _ in 0..<Int.random(in: 1...3, using: &dice) {
                let place = start + Int.random(in: 16..<element.range.count - 8, using: &dice)
                bytes[place] = [0, 1, 255, UInt8.random(in: 0...255, using: &dice)].randomElement(using: &dice) ?? 0
            }
            let end = start + element.range.count - 8
            var hash: [UInt8] = []
            hash.append(littleEndian: xxh64(bytes.span.bytes.extracting(start..<end)))
            bytes.replace(at: end, with: hash)
        }
        guard let region = Damaged(bytes: bytes).region else { return }
        #expect(region.size <= 2 * (UInt64(bytes.count) + ParityDescription.mostExcess) + 1)
        _ = region.plan(within: 0..<UInt64(bytes.count))
        _ = region.prefix(Int(region.size))
    }

    @Test(.timeLimit(.minutes(4))) func `a file of nothing but tags takes no longer than its size`() throws {
        // Each begins like a description of one set.
        let front = ParityFrame.description.header(frameSize: ParityDescription.size(sets: 1))
        let tag = front + [UInt8](repeating: 0, count: 28) + [1, 0, 0, 0]
        let record = GroupRecord.front(set: 0, group: 0)
        var bytes: [UInt8] = []
        while bytes.count < 4 << 20 { bytes += tag }
        #expect(Damaged(bytes: bytes).region == nil)
        var dice = Dice(1)
        var sample = Sample([300], tail: 0, ParityShare(percent: 5), ParityEncoder.Shape(), &dice)
        // All of its records are lost, and looked for among what looks like them.
        let description = try sample.description
        let (set, frame) = (description.sets[0], Int(description.frameStart(of: 0)))
        for copy in 0..<2 { sample.file[frame + set.recordsStart(copy: copy) + 30] ^= 1 }
        let region = Damaged(bytes: Array(repeatElement(record, count: 200_000).joined()) + sample.file).region
        #expect(region?.findings.contains { $0.lost == set.allCount } == true)
    }

    @Test func `more rot than is remembered counts as lost`() throws {
        var dice = Dice(1)
        let sample = Sample([40_000], tail: 0, ParityShare(percent: 50), ParityEncoder.Shape(), &dice)
        let set = try sample.description.sets[0]
        var bytes = sample.file
        // One block, so that there are two runs and one that was computed.
        bytes[set.blockCount / 2 * set.blockSize] ^= 1
        for (runs, isBeyond) in [(4, false), (3, true)] {
            let origin = Damaged(bytes: bytes)
            var search = DescriptionSearch(origin, depth: .max)
            let budget = SearchBudget(for: origin.size)
            budget.mostRuns = runs
            let found = search.last(in: 0..<origin.size)
            let region = ParityRegion(origin, try #require(found), budget, isPlain: true)
            region.check(0)
            #expect(region.isBeyondBounds == isBeyond)
            #expect(region.plan(within: 0..<origin.size)?.isComplete == !isBeyond)
            #expect((region.prefix(sample.file.count) == sample.file) == !isBeyond)
        }
    }

    /// Bytes in memory, of which each large read is counted.
    private final class Counted: ParityOrigin {
        private let bytes: Damaged
        private let least: Int
        var reads = 0

        init(_ bytes: [UInt8], least: Int) { (self.bytes, self.least) = (Damaged(bytes: bytes), least) }

        var size: UInt64 { bytes.size }

        func read(at offset: UInt64, into memory: UnsafeMutableRawBufferPointer) {
            if memory.count == least { reads += 1 }
            bytes.read(at: offset, into: memory)
        }

        func checkCancelled() {}
    }

    /// Bytes in memory, of which it is counted how many are read.
    private final class Tallied: ParityOrigin {
        private let bytes: Damaged
        var count = 0

        init(_ bytes: [UInt8]) { self.bytes = Damaged(bytes: bytes) }

        var size: UInt64 { bytes.size }

        func read(at offset: UInt64, into memory: UnsafeMutableRawBufferPointer) {
            count += memory.count
            bytes.read(at: offset, into: memory)
        }

        func checkCancelled() {}
    }

    /// Forged frames that lie across the end of a set make readers go back and forth, and only one set is held.
    @Test(arguments: [5, 50], [0, 1 << 20])
    func `sets are made again a limited number of times, however they are read`(percent: Int, remakes: Int) throws {
        var dice = Dice(percent)
        var shape = ParityEncoder.Shape()
        (shape.keptSize, shape.firstBlockSize, shape.blockSize, shape.groups) = (500, 64, 64, 2)
        let sizes = [Int](repeating: 3000, count: 20)
        let sample = Sample(sizes, tail: 0, ParityShare(percent: percent), shape, &dice)
        let description = try sample.description
        try #require(description.sets.count > 1)
        var bytes = sample.file
        let places = (0...1).map { description.range(of: 0, in: $0).lowerBound }
        for place in places { bytes[Int(place)] ^= 1 }
        let origin = Tallied(bytes)
        var search = DescriptionSearch(origin, depth: .max)
        let found = search.last(in: 0..<origin.size)
        let budget = SearchBudget(for: origin.size, remakes: UInt64(remakes))
        let region = ParityRegion(origin, try #require(found), budget, isPlain: true)
        for set in description.sets.indices { region.check(set) }
        origin.count = 0
        var count = 0
        while count < 5000, let byte = region.bytes(at: places[count % 2], count: 1) {
            #expect(byte == [sample.file[Int(places[count % 2])]])
            count += 1
        }
        // Enough for many passes over the file, and no more than grows with it.
        #expect(count >= 16 * description.sets.count)
        #expect(origin.count <= 64 * bytes.count + remakes)
        // Then it is lost, and takes nothing.
        origin.count = 0
        for place in places + places { #expect(region.bytes(at: place, count: 1) == nil) }
        #expect(origin.count == 0)
    }

    @Test func `streams of one file share what is searched of it`() throws {
        var dice = Dice(1)
        let sample = Sample([5000], tail: 0, ParityShare(percent: 5), ParityEncoder.Shape(), &dice)
        let one = sample.file[..<1000] + dice.bytes(100) + sample.file[1000...]
        // At the start of the file, one would be found without a search.
        let rest = dice.bytes(50)
        let origin = Damaged(bytes: Array(rest + one + one))
        for (isShared, moved) in [(false, [3, 3]), (true, [3, 0])] {
            var (search, end, found) = (DescriptionSearch(origin, depth: .max), origin.size, [Int]())
            let shared = SearchBudget(for: origin.size)
            for _ in 0..<2 {
                let last = search.last(in: 0..<end)
                let budget = isShared ? shared : SearchBudget(for: origin.size)
                if found.isEmpty || !isShared { budget.bytes = 1 }
                found.append(ParityRegion(origin, try #require(last), budget, isPlain: true).check(0).moved)
                end = UInt64(rest.count + one.count)
            }
            #expect(found == moved)
        }
    }

    /// Only one set of all streams is in memory.
    @Test(arguments: 0..<10) func `streams that are read in turn are not taken for one another`(seed: Int) throws {
        var dice = Dice(seed)
        let (first, second) = (Sample.random(&dice), Sample.random(&dice))
        var bytes = first.file + second.file
        for place in [0, first.file.count] { bytes[place] ^= 1 }
        let origin = Damaged(bytes: bytes)
        var search = DescriptionSearch(origin, depth: .max)
        let budget = SearchBudget(for: origin.size)
        var regions: [ParityRegion<Damaged>] = []
        for end in [origin.size, UInt64(first.file.count)] {
            let found = search.last(in: 0..<end)
            let region = ParityRegion(origin, try #require(found), budget, isPlain: true)
            for set in region.description.sets.indices { region.check(set) }
            regions.append(region)
        }
        for _ in 0..<3 {
            for (region, sample) in zip(regions, [second, first]) {
                let count = Int(region.description.range(of: 0, in: 0).upperBound)
                #expect(region.prefix(count) == Array(sample.file[..<count]))
            }
        }
    }

    /// Whatever is added at once, and by whatever.
    @Test(arguments: 0..<20, [true, false])
    func `each block of parity is the sum that the page on the format says`(seed: Int, isPlain: Bool) throws {
        var dice = Dice(seed)
        let sample = Sample.random(&dice, isPlain: isPlain)
        let description = try sample.description
        for (number, set) in description.sets.enumerated() {
            for group in 0..<set.groups {
                for row in 0..<set.rows {
                    var sum = [UInt8](repeating: 0, count: set.blockSize)
                    for block in 0..<set.count(in: group) {
                        let range = description.range(of: set.index(block, in: group), in: number)
                        let factor = ParityCode.factor(capacity: set.capacity, row: row, block: block)
                        ParityCode.add(
                            sample.file.span.bytes.extracting(Int(range.lowerBound)..<Int(range.upperBound)),
                            by: [factor], to: &sum, at: [0], isPlain: true)
                    }
                    let range = description.range(of: set.index(set.count(in: group) + row, in: group), in: number)
                    let isSame = sum.elementsEqual(sample.file[Int(range.lowerBound)..<Int(range.upperBound)])
                    #expect(isSame, "set \(number), group \(group), row \(row)")
                }
            }
        }
    }

    @Test func `descriptions of streams that are too large for the file are tried a limited number of times`() throws {
        let set = try #require(ParitySet(blockSize: 1 << 16, groups: 1, capacity: 254, rows: 1, length: 254 << 16))
        let tail = ParityDescription.Tail(size: 1 << 40, hash: 0)
        let description = try #require(
            ParityDescription(share: ParityShare(percent: 1), batches: [[set]], tail: tail))
        let frame = description.encoded(at: description.elements[1])
        let origin = Counted(Array(repeatElement(frame, count: 10_000).joined()), least: frame.count)
        var search = DescriptionSearch(origin, depth: .max)
        #expect(search.last(in: 0..<origin.size) == nil)
        #expect(origin.reads <= 4096)
        #expect(origin.reads > 1000)
    }

    @Test func `more sets than a description may have are refused`() {
        var dice = Dice(1)
        var shape = ParityEncoder.Shape()
        (shape.keptSize, shape.firstBlockSize, shape.blockSize, shape.groups, shape.mostSets) = (64, 64, 64, 1, 2)
        var encoder = ParityEncoder(ParityShare(percent: 50), shape: shape, isPlain: true)
        var batches: [Bool] = []
        for _ in 0..<3 {
            encoder.append(dice.bytes(12_000).span.bytes)
            encoder.noteBoundary()
            _ = encoder.endBatch()
            batches.append(encoder.takeBatch(tail: nil) != nil)
        }
        #expect(batches.first == true)
        #expect(batches.last == false)
    }

    @Test(arguments: 0..<40) func `several streams have one budget, and no number of them ends the search`(seed: Int)
        throws
    {
        var dice = Dice(seed)
        let sample = Sample.random(&dice, most: 300)
        let bytes = Array(repeatElement(sample.file, count: 30).joined())
        var search = DescriptionSearch(Damaged(bytes: bytes), depth: .max)
        var (count, end) = (0, UInt64(bytes.count))
        while let found = search.last(in: 0..<end) { (count, end) = (count + 1, found.input.lowerBound) }
        #expect(count >= 60)
    }
}
