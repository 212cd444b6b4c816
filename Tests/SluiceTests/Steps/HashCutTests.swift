import TestSupport
import Testing

@testable import SluiceEngine

/// Where content is cut by what it is.
@Suite struct HashCutTests {
    static let content = sample(2 << 20, seed: 7)

    /// The sizes of the chunks, when the content is looked at in pieces of so many bytes.
    private func sizes(_ content: [UInt8], most: Int = 16 << 10, pieces: Int = .max) -> [Int] {
        var (sizes, start, cut) = ([Int](), 0, HashCut(most: most))
        while start < content.count {
            cut.begin(at: UInt64(start))
            var end: Int?
            while end == nil, start + cut.position < content.count {
                let place = start + cut.position
                let piece = content[place..<place + min(pieces, content.count - place)]
                end = cut.take(piece.span.bytes)
            }
            sizes.append(min(end ?? .max, content.count - start))
            start += sizes.last ?? 0
        }
        return sizes
    }

    private func chunks(_ content: [UInt8]) -> [[UInt8]] {
        var start = 0
        return sizes(content).map { size in
            defer { start += size }
            return Array(content[start..<start + size])
        }
    }

    @Test(arguments: [1, 63, 64, 65, 1000, 7168, 100_000])
    func `the ends do not depend on the pieces in which content comes`(pieces: Int) {
        let part = Array(Self.content[..<300_000])
        #expect(sizes(part, pieces: pieces) == sizes(part))
    }

    @Test(arguments: [1 << 10, 5000, 16 << 10, 256 << 10])
    func `each chunk but the last has from the least to the most, and about half of that on average`(most: Int) {
        let (sizes, cut) = (sizes(Self.content, most: most), HashCut(most: most))
        #expect(sizes.reduce(0, +) == Self.content.count)
        #expect(sizes.dropLast().allSatisfy { (cut.least...most).contains($0) })
        let mean = Self.content.count / sizes.count
        #expect((most * 4 / 10..<most * 6 / 10).contains(mean))
    }

    /// In the first chunk, at its end, in the middle, and at the end of all.
    @Test(arguments: [0, 5000, 8100, 1 << 20, (2 << 20) - 1], [1, 17])
    func `what comes in between changes the chunks around it, and no others`(place: Int, count: Int) {
        var changed = Self.content
        changed.insert(contentsOf: repeatElement(0xA5, count: count), at: place)
        let before = Set(chunks(Self.content))
        #expect(chunks(changed).filter { !before.contains($0) }.count <= 2)
        changed.removeSubrange(place..<place + count)
        #expect(chunks(changed) == chunks(Self.content))
    }

    @Test func `wherever one begins, one soon cuts where others do`() {
        let before = Set(chunks(Self.content))
        for start in [1, 4000, 9999] {
            let others = chunks(Array(Self.content[start...])).prefix { !before.contains($0) }
            #expect(others.count < 100)
        }
    }

    @Test(arguments: UInt8.min...UInt8.max)
    func `a run of equal bytes is cut at the most, so that zeros are never tiny frames`(byte: UInt8) {
        let most = 1 << 10
        #expect(sizes([UInt8](repeating: byte, count: 3 * most), most: most) == [most, most, most])
    }

    @Test(arguments: 1...200)
    func `however small the most is, there is a way on`(most: Int) {
        let sizes = sizes(Array(Self.content[..<2000]), most: most)
        #expect(sizes.reduce(0, +) == 2000)
        #expect(sizes.allSatisfy { (1...most).contains($0) })
    }
}
