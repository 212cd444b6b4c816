import Testing

@testable import Parity

/// Numbers that look random, the same in each run.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count { withUnsafeBytes(of: next()) { bytes.append(contentsOf: $0) } }
        return Array(bytes.prefix(count))
    }
}

/// Bytes in memory.
struct Damaged: ParityOrigin {
    var bytes: [UInt8]

    var size: UInt64 { UInt64(bytes.count) }

    func read(at offset: UInt64, into memory: UnsafeMutableRawBufferPointer) {
        precondition(offset + UInt64(memory.count) <= size, "a read outside of the file")
        bytes.withUnsafeBytes {
            memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)...].prefix(memory.count)))
        }
    }

    func checkCancelled() {}

    /// The region of the last description, all of which has been checked; nil if there is none.
    var region: ParityRegion<Damaged>? {
        var search = DescriptionSearch(self, depth: .max)
        guard let found = search.last(in: 0..<size) else { return nil }
        let region = ParityRegion(self, found, SearchBudget(for: size), isPlain: true)
        for set in found.description.sets.indices { region.check(set) }
        _ = region.findTail()
        return region
    }
}

/// A stream with parity.
struct Sample {
    var file: [UInt8] = []
    let tail: [UInt8]

    /// - Parameter sizes: of frames.
    init(
        _ sizes: [Int], tail: Int, _ share: ParityShare, _ shape: ParityEncoder.Shape, _ dice: inout Dice,
        isPlain: Bool = true
    ) {
        var encoder = ParityEncoder(share, shape: shape, isPlain: isPlain)
        let end = dice.bytes(tail)
        self.tail = end
        func endBatch(_ tail: ParityDescription.Tail?) -> [UInt8] {
            let sizes = encoder.endBatch()
            let batch = encoder.takeBatch(tail: tail) ?? []
            precondition(batch.count == sizes.reduce(0, +), "frames of other sizes")
            return batch
        }
        for size in sizes {
            if encoder.isDue { file += endBatch(nil) }
            let frame = dice.bytes(size)
            // In pieces.
            var rest = frame.span.bytes
            while rest.byteCount > 0 {
                let count = min(rest.byteCount, Int.random(in: 1...9000, using: &dice))
                encoder.append(rest.extracting(..<count))
                rest = rest.extracting(count...)
            }
            file += frame
            encoder.noteBoundary()
        }
        file += endBatch(ParityDescription.Tail(end.span.bytes)) + end
    }

    static func random(_ dice: inout Dice, most: Int = 40_000, isPlain: Bool = true) -> Sample {
        var shape = ParityEncoder.Shape()
        (shape.keptSize, shape.firstBlockSize, shape.blockSize, shape.groups) = (
            4000, 64, 128, Int.random(in: 1...8, using: &dice)
        )
        let share = ParityShare(percent: [1, 2, 5, 5, 10, 33, 50].randomElement(using: &dice) ?? 5)
        let sizes = (0..<Int.random(in: 1...6, using: &dice)).map { _ in
            Int.random(in: 1...Int.random(in: 1...most, using: &dice), using: &dice)
        }
        return Sample(
            sizes, tail: Bool.random(using: &dice) ? 0 : Int.random(in: 1...500, using: &dice), share, shape, &dice,
            isPlain: isPlain)
    }

    var description: ParityDescription {
        get throws {
            var search = DescriptionSearch(Damaged(bytes: file), depth: 0)
            let found = search.description(endingAt: UInt64(file.count - tail.count))
            return try #require(found).description
        }
    }
}

extension ParityRegion where Origin == Damaged {
    /// The first bytes of the stream as it was made; nil if some can't be proved.
    func prefix(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return bytes.withUnsafeMutableBytes { read(at: 0, into: $0) } ? bytes : nil
    }

    /// All of the stream but its tail.
    var frames: [UInt8]? { prefix(Int(description.tailStart)) }
}
