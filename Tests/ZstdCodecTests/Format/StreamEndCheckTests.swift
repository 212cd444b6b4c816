import TestSupport
import Testing

@testable import ZstdCodec

struct StreamEndCheckTests {
    /// A stream as it is written: a frame, the header, more frames, the table.
    static func stream(_ contents: [[UInt8]]) throws -> [[UInt8]] {
        var parts = try contents.map { try frame($0) }
        parts.insert(StreamHeader(frameSize: 100, level: 1).encoded, at: 1)
        return parts + [table(of: parts).encoded]
    }

    static func table(of parts: [[UInt8]]) -> SeekTable {
        var table = SeekTable(hasChecksums: true)
        for part in parts {
            let frame = try? scan(part).first
            let size = frame?.header?.contentSize ?? 0
            table.append(
                SeekTable.Entry(
                    compressedSize: UInt32(part.count), decompressedSize: UInt32(size),
                    checksum: frame?.checksum ?? SeekTable.checksumOfNothing))
        }
        return table
    }

    static func audit(_ parts: [[UInt8]]) throws {
        let bytes = parts.flatMap(\.self)
        var audit = StreamEndCheck(comparesChecksums: true)
        for frame in try scan(bytes) { try audit.note(frame) }
        try audit.finish(at: UInt64(bytes.count))
    }

    static let three = [sample(100, seed: 1), sample(100, seed: 2), sample(30, seed: 3)]

    @Test func `a whole stream passes`() throws {
        try Self.audit(Self.stream(Self.three))
    }

    @Test(arguments: 2...4)
    func `a stream without its table is cut, also at the end of a frame`(count: Int) throws {
        let parts = Array(try Self.stream(Self.three)[..<count])
        let size = UInt64(parts.joined().count)
        #expect(throws: CodecFailure.missingSeekTable(offset: size)) { try Self.audit(parts) }
    }

    @Test(arguments: [-1, -2, -9, 4])
    func `a table that can't be read is damaged, and the data before it is not cut`(place: Int) throws {
        var parts = try Self.stream(Self.three)
        parts[4][place < 0 ? parts[4].count + place : place] ^= 0x81
        let offset = UInt64(parts.dropLast().joined().count)
        #expect(throws: CodecFailure.damagedSeekTable(offset: offset)) { try Self.audit(parts) }
    }

    @Test(arguments: 0..<4, [true, false])
    func `a table that lies is not believed`(index: Int, aboutContent: Bool) throws {
        var parts = try Self.stream(Self.three)
        var entries = Self.table(of: Array(parts.dropLast())).entries
        if aboutContent { entries[index].decompressedSize += 1 } else { entries[index].compressedSize += 1 }
        var lie = SeekTable(hasChecksums: true)
        for entry in entries { lie.append(entry) }
        parts[4] = lie.encoded
        let offset = UInt64(parts.dropLast().joined().count)
        #expect(throws: CodecFailure.corrupt(reason: "the seek table contradicts the frames", offset: offset)) {
            try Self.audit(parts)
        }
    }

    @Test(arguments: 0..<4)
    func `a checksum that is not that of its frame is told, but of a frame that has none`(index: Int) throws {
        var parts = try Self.stream(Self.three)
        var table = SeekTable(hasChecksums: true)
        for (place, var entry) in Self.table(of: Array(parts.dropLast())).entries.enumerated() {
            if place == index { entry.checksum ^= 1 << 31 }
            table.append(entry)
        }
        parts[4] = table.encoded
        let offset = UInt64(parts.dropLast().joined().count)
        let reason = "the seek table's checksums are not those of the frames"
        #expect(throws: CodecFailure.corrupt(reason: reason, offset: offset)) { try Self.audit(parts) }
        var audit = StreamEndCheck()
        for frame in try scan(parts.flatMap(\.self)) { try audit.note(frame) }
        parts[2] = try frame(Self.three[1], CompressionOptions(hasChecksum: false))
        var sizes = SeekTable(hasChecksums: true)
        for entry in Self.table(of: Array(parts.dropLast())).entries { sizes.append(entry) }
        parts[4] = sizes.encoded
        try Self.audit(parts)
    }

    @Test(arguments: [0, 2, 3])
    func `a frame that is missing is missed`(index: Int) throws {
        var parts = try Self.stream(Self.three)
        parts.remove(at: index)
        #expect(throws: CodecFailure.self) { try Self.audit(parts) }
    }

    @Test func `a frame that was doubled, or slipped in, is noticed`() throws {
        var parts = try Self.stream(Self.three)
        parts.insert(parts[2], at: 2)
        #expect(throws: CodecFailure.self) { try Self.audit(parts) }
        parts[2] = skippable([1])
        #expect(throws: CodecFailure.self) { try Self.audit(parts) }
    }

    @Test func `streams one after another pass, with others around them`() throws {
        let stream = try Self.stream(Self.three)
        let single = [try frame(sample(10))]
        try Self.audit(stream + stream)
        try Self.audit(single + stream + single + [skippable([1, 2])] + stream + single)
    }

    @Test(arguments: 2...4)
    func `the first of two streams must be whole too`(count: Int) throws {
        let stream = try Self.stream(Self.three)
        #expect(throws: CodecFailure.self) { try Self.audit(stream[..<count] + stream) }
        #expect(throws: CodecFailure.self) { try Self.audit(stream[..<count] + [frame(sample(10))]) }
    }

    /// A live stream: whoever kills its writer takes the table away.
    @Test(arguments: 1...5)
    func `a stream that may end anywhere is whole at the end of each frame`(count: Int) throws {
        var parts = try Self.three.map { try frame($0) }
        parts.insert(StreamHeader(frameSize: 100, level: 1, mayEndAnywhere: true).encoded, at: 1)
        parts.append(Self.table(of: parts).encoded)
        try Self.audit(Array(parts[..<count]))
        try Self.audit(parts[..<count] + parts)
        // A table that is there has to be true all the same.
        parts.remove(at: 2)
        #expect(throws: CodecFailure.self) { try Self.audit(parts) }
    }

    @Test func `a table that nothing announced is as good as any skippable frame`() throws {
        let lie = Self.table(of: [[1, 2, 3]]).encoded
        try Self.audit([frame(sample(10)), frame(sample(11)), lie])
        try Self.audit([lie, frame(sample(10))])
    }
}
