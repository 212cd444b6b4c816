import TestSupport
import Testing

@testable import ZstdCodec

struct FrameScannerTests {
    /// Every kind of frame and block that there is, in less than a kilobyte.
    static let input: [UInt8] = {
        let repeated = HandmadeFrame(
            descriptor: 0b0000_0000, fields: [0x38], blocks: [(1, 70_000, [7]), (0, 3, [1, 2, 3])])
        var table = SeekTable(hasChecksums: true)
        table.append(SeekTable.Entry(compressedSize: 1, decompressedSize: 2, checksum: 3))
        let frames = [
            (try? frame(sample(300))) ?? [], skippable([1, 2, 3, 4, 5]), repeated.bytes,
            StreamHeader(frameSize: 1024, level: 1).encoded, skippable([], magic: 0x184D_2A5F),
            (try? frame([], CompressionOptions(hasChecksum: false))) ?? [], skippable([9], magic: StreamHeader.magic),
            (try? frame([UInt8](repeating: 0, count: 2000))) ?? [], table.encoded,
        ]
        return frames.flatMap(\.self)
    }()

    @Test func `frames follow one another without a gap`() throws {
        let frames = try scan(Self.input)
        #expect(frames.count == 9)
        var offset: UInt64 = 0
        for frame in frames {
            #expect(frame.offset == offset)
            offset += frame.compressedSize
        }
        #expect(offset == UInt64(Self.input.count))
        #expect(frames.map(\.isSkippable) == [false, true, false, true, true, false, true, false, true])
    }

    @Test(arguments: [1, 3, 4, 5, 1000], [1, 7, .max])
    func `zeros may follow the table of an announced stream, and nothing else unless that was asked for`(
        count: Int, piece: Int
    ) throws {
        var table = SeekTable(hasChecksums: true)
        table.append(SeekTable.Entry(compressedSize: 1, decompressedSize: 2, checksum: 3))
        let (one, header) = (try frame([1, 2, 3]), StreamHeader(frameSize: 1024, level: 1).encoded)
        let proven = one + header + one + table.encoded
        let others = [one, one + table.encoded, proven + one, one + header + one]
        let zeros = [UInt8](repeating: 0, count: count)
        /// Where the zeros begin that are ignored; nil if there is a failure.
        func ignored(_ input: [UInt8], _ ignoresZeros: Bool) -> UInt64? {
            var scanner = FrameScanner(ignoresZeros: ignoresZeros)
            do throws(CodecFailure) {
                for start in stride(from: 0, to: input.count, by: min(piece, input.count)) {
                    var rest = input[start..<min(input.count, start + min(piece, input.count))]
                    while !rest.isEmpty {
                        let (scanned, _) = try scanner.scan(rest.span.bytes)
                        rest = rest.dropFirst(scanned)
                    }
                }
                try scanner.finish()
                return scanner.zerosOffset
            } catch {
                return nil
            }
        }
        #expect(ignored(proven + zeros, false) == UInt64(proven.count))
        for other in others {
            #expect(ignored(other + zeros, false) == nil)
            #expect(ignored(other + zeros, true) == UInt64(other.count))
            for tail in [[1], one] { #expect(ignored(other + zeros + tail, true) == nil) }
        }
        #expect(ignored(proven + zeros + one, false) == nil)
        #expect(ignored(zeros, true) == nil)
    }

    @Test(arguments: 0...input.count)
    func `the frames are the same wherever the input is cut`(position: Int) throws {
        let pieces = [Self.input[..<position], Self.input[position...]]
        #expect(try scan(pieces) == scan(Self.input))
    }

    @Test(arguments: [1, 2, 3, 5, 7, 11, 64, 257])
    func `the frames are the same in pieces of any size`(size: Int) throws {
        let pieces = stride(from: 0, to: Self.input.count, by: size).map {
            Self.input[$0..<min($0 + size, Self.input.count)]
        }
        #expect(try scan(pieces) == scan(Self.input))
    }

    @Test(arguments: 0..<input.count)
    func `an input that is cut within a frame is an error`(count: Int) throws {
        let frames = try scan(Self.input)
        let ends = frames.map { Int($0.offset + $0.compressedSize) }
        let cut = Array(Self.input[..<count])
        switch count {
        case 0: #expect(throws: CodecFailure.empty) { try scan(cut) }
        case 1..<4: #expect(throws: CodecFailure.notZstandard) { try scan(cut) }
        case _ where ends.contains(count): #expect(throws: Never.self) { try scan(cut) }
        default:
            let frame = frames.last { $0.offset < count }
            let isTable = if case .seekTable = frame?.annotation { true } else { false }
            // Behind its magic number and its size it is known as a table.
            let failure: CodecFailure =
                if let frame, isTable, count >= Int(frame.offset) + FrameFormat.skippableHeaderSize {
                    .damagedSeekTable(offset: frame.offset)
                } else {
                    .truncated(offset: UInt64(count))
                }
            #expect(throws: failure) { try scan(cut) }
        }
    }

    @Test(arguments: [[UInt8]("hello".utf8), [0, 0, 0, 0], [0x28, 0xB5, 0x2F, 0xFC], [0x60, 0x2A, 0x4D, 0x18]])
    func `what is no frame is refused, at the start and after a frame`(bytes: [UInt8]) throws {
        #expect(throws: CodecFailure.notZstandard) { try scan(bytes) }
        let first = try frame(sample(10))
        let (end, isZero) = (UInt64(first.count), bytes[0] == 0)
        #expect(throws: isZero ? CodecFailure.trailingZeros(offset: end) : .trailingBytes(offset: end)) {
            try scan(first + bytes)
        }
    }

    @Test(arguments: FrameFormat.legacyMagics.sorted())
    func `legacy formats are called so`(magic: UInt32) {
        var bytes: [UInt8] = []
        bytes.appendLittleEndian(magic)
        #expect(throws: CodecFailure.legacyFormat(offset: 0)) { try scan(bytes) }
    }

    @Test func `a frame that nobody here decodes is scanned and reported`() throws {
        let bytes = HandmadeFrame(descriptor: 0b0000_0011, fields: [21 << 3, 1, 2, 3, 4]).bytes
        let frame = try #require(try scan(bytes).first)
        #expect(frame.header?.windowSize == 1 << 31)
        #expect(frame.header?.dictionaryIdentifier == 0x0403_0201)
    }

    @Test func `a claim of content counts only as far as the blocks bear it`() throws {
        // 14 bytes that claim 4 GiB - 1, within a window of 1 KiB.
        let claim = HandmadeFrame(descriptor: 0b1000_0000, fields: [0, 255, 255, 255, 255], blocks: [(0, 1, [7])]).bytes
        let frame = try #require(try scan(claim).first)
        #expect(frame.header?.contentSize == UInt64(UInt32.max))
        #expect(frame.decompressedBound == 1)
    }

    @Test(arguments: [(0, 1000), (1, 1000), (2, 128 << 10)])
    func `a block decompresses to its size, or to 128 KiB if it is compressed`(type: Int, bound: Int) throws {
        let body = [UInt8](repeating: 0, count: type == 1 ? 1 : 1000)
        let bytes = HandmadeFrame(descriptor: 0, fields: [0x38], blocks: [(type, 1000, body), (type, 1000, body)]).bytes
        #expect(try scan(bytes).first?.decompressedBound == UInt64(2 * bound))
    }

    @Test(arguments: [(0x00, 1 << 10), (0x07, 15 << 7), (0x38, 128 << 10), (0x40, 128 << 10)] as [(UInt8, Int)])
    func `a compressed block decompresses to no more than its window`(window: UInt8, bound: Int) throws {
        let body = [UInt8](repeating: 0, count: 100)
        let one = try #require(
            try scan(HandmadeFrame(descriptor: 0, fields: [window], blocks: [(2, 100, body)]).bytes).first)
        #expect(one.decompressedBound == UInt64(bound))
        // Within one block nothing lies further back than the window is long.
        #expect(try !#require(one.header).isNarrow(for: one.decompressedBound))
        let blocks = [(2, 100, body), (2, 100, body)]
        let two = try #require(try scan(HandmadeFrame(descriptor: 0, fields: [window], blocks: blocks).bytes).first)
        #expect(two.decompressedBound == UInt64(2 * bound))
        let header = try #require(two.header)
        #expect(header.isNarrow(for: two.decompressedBound) == (2 * bound > Int(header.windowSize)))
    }

    @Test(arguments: [1, 1000, 20_000, 131_072])
    func `a frame of one block that does not say its size is no larger than its window`(size: Int) throws {
        var options = CompressionOptions()
        options.hasContentSize = false
        let content = sample(size)
        let bytes = try frame(content, options)
        let one = try #require(try scan(bytes).first)
        #expect(one.header?.contentSize == nil)
        #expect(try !#require(one.header).isNarrow(for: one.decompressedBound))
        #expect(one.decompressedBound >= size)
    }

    @Test(arguments: [(3, 1), (0, 128 << 10 + 1), (1, (1 << 21) - 1), (2, 128 << 10 + 1), (2, 0)])
    func `a block of a reserved type, of over 128 KiB, or compressed to nothing, is refused`(type: Int, size: Int) {
        #expect(throws: CodecFailure.self) {
            try scan(HandmadeFrame(blocks: [(type, size, [])]).bytes + [UInt8](repeating: 0, count: 1 << 18))
        }
    }

    @Test(arguments: Array(FrameFormat.skippableMagics), [UInt32(1), 4, 1 << 31, .max - 7, .max])
    func `a skippable frame that claims more than there is makes the input cut`(magic: UInt32, size: UInt32) throws {
        let before = try frame(sample(10))
        let bytes = before + skippable([], magic: magic, size: size)
        let failure: CodecFailure =
            magic == SeekTable.magic
            ? .damagedSeekTable(offset: UInt64(before.count)) : .truncated(offset: UInt64(bytes.count))
        #expect(throws: failure) { try scan(bytes) }
    }

    @Test func `behind a whole table a frame that is cut is no table`() throws {
        let bytes = SeekTable(hasChecksums: true).encoded + (try frame(sample(10))).dropLast()
        #expect(throws: CodecFailure.truncated(offset: UInt64(bytes.count))) { try scan(bytes) }
    }

    @Test(arguments: 1...9)
    func `what ends a frame with a checksum is told, wherever the bytes are cut`(size: Int) throws {
        let frames = try [frame(sample(300)), frame(sample(20), CompressionOptions(hasChecksum: false)), frame([])]
        var (scanner, checksums) = (FrameScanner(), [UInt32?]())
        var rest = frames.flatMap(\.self)[...]
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            let (scanned, ended) = try scanner.scan(piece.span.bytes)
            rest = rest.dropFirst(scanned)
            if let ended { checksums.append(ended.checksum) }
        }
        let last = frames[0].suffix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
        #expect(checksums == [last, nil, SeekTable.checksumOfNothing])
    }

    @Test func `own annotations are read, and others skipped`() throws {
        let header = StreamHeader(frameSize: 1 << 20, level: -5)
        let table = SeekTable(hasChecksums: false)
        let frames = try scan(header.encoded + table.encoded + skippable([1, 2]))
        let outline = SeekTableDigest(hasChecksums: false).outline
        #expect(frames.map(\.annotation) == [.streamHeader(header), .seekTable(outline), nil])
    }
}
