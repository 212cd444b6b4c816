import TestSupport
import Testing

@testable import ZstdCodec

struct DecompressorTests {
    /// The content of one frame, from parts of this size and through an output of that.
    static func streamed(_ frame: [UInt8], part: Int, output: Int) throws -> [UInt8] {
        var decompressor = try Decompressor()
        try decompressor.begin()
        var content: [UInt8] = []
        var memory = [UInt8](repeating: 0, count: output)
        for start in stride(from: 0, to: frame.count, by: part) {
            let piece = frame[start..<min(start + part, frame.count)]
            try memory.withUnsafeMutableBytes { memory in
                var rest = piece.span.bytes
                var isDone = false
                while !isDone {
                    let written: Int
                    (written, isDone) = try decompressor.stream(&rest, into: memory, offset: 5)
                    content += memory[..<written]
                }
            }
        }
        return content
    }

    @Test(arguments: [(1, 1 << 20), (1 << 20, 1), (777, 999), (1 << 20, 1 << 20)])
    func `the content does not depend on the parts`(part: Int, output: Int) throws {
        let content = sample(30_000)
        #expect(try Self.streamed(frame(content), part: part, output: output) == content)
    }

    @Test func `frames one after another are one content`() throws {
        let contents = [sample(1000), [], sample(70_000, seed: 2)]
        let frames = try contents.flatMap { try frame($0) }
        #expect(try CompressorTests.decompressed(frames, room: 71_000) == contents.flatMap(\.self))
    }

    @Test(arguments: 0..<3) func `the failure of one of several frames has the offset of that frame`(
        damaged: Int
    ) throws {
        var frames = try [sample(1000), [], sample(70_000, seed: 2)].map { try frame($0) }
        frames[damaged][frames[damaged].count - 1] ^= 1
        let offset = 5 + frames[..<damaged].reduce(0) { $0 + $1.count }
        let wrong = CodecFailure.corrupt(
            reason: "its checksum does not match its content", offset: UInt64(offset))
        #expect(throws: wrong) { try CompressorTests.decompressed(frames.flatMap(\.self), room: 71_000) }
    }

    @Test(arguments: 0..<71)
    func `a frame without the room that it needs is corrupt, with its offset`(room: Int) throws {
        let frames = try frame(sample(71))
        #expect(throws: CodecFailure.self) { try CompressorTests.decompressed(frames, room: room) }
    }

    @Test(arguments: [1, 2, 3, 4])
    func `a wrong checksum is called so`(position: Int) throws {
        var bytes = try frame(sample(1000))
        bytes[bytes.count - position] ^= 1
        let wrong = CodecFailure.corrupt(reason: "its checksum does not match its content", offset: 5)
        #expect(throws: wrong) { try CompressorTests.decompressed(bytes, room: 1000) }
        #expect(throws: wrong) { try Self.streamed(bytes, part: 1 << 20, output: 1 << 20) }
    }

    @Test(arguments: [UInt8(1), 0x10, 0x80, 0xFF], [true, false])
    func `a frame with one changed byte is damaged, or right`(change: UInt8, isStreamed: Bool) throws {
        let content = sample(700)
        let original = try frame(content)
        for index in 4..<original.count {
            var bytes = original
            bytes[index] ^= change
            do {
                let result =
                    isStreamed
                    ? try Self.streamed(bytes, part: 1 << 20, output: 1 << 12)
                    : try CompressorTests.decompressed(bytes, room: 700)
                // A frame that lost its end says nothing by itself: `FrameScanner` does.
                #expect(result == content || result == Array(content.prefix(result.count)), "byte \(index)")
            } catch let failure as CodecFailure {
                if case .contentSizeMismatch = failure { Issue.record("byte \(index)") }
            }
        }
    }

    /// Content whose second half repeats the first, with another window than it was made for.
    static func narrowFrame(
        period: Int, windowLog: UInt8, hasContentSize: Bool
    ) throws -> (frame: [UInt8], content: [UInt8]) {
        let content = sample(period) + sample(period)
        var options = CompressionOptions(level: 3)
        options.parameters = [.windowLog: 21]
        options.hasContentSize = hasContentSize
        var bytes = try frame(content, options)
        try #require(bytes[4] & 0b10_0000 == 0)
        bytes[5] = (windowLog - 10) << 3
        return (bytes, content)
    }

    /// The verdict of libzstd's streaming decoder, nil for a refusal.
    @Test(arguments: [(1_200_000, 19, true), (1_200_000, 20, false), (1_900_000, 20, true)], [true, false])
    func `matches that reach beyond the window are decoded alike in one go and in parts`(
        example: (period: Int, windowLog: UInt8, isRefused: Bool), hasContentSize: Bool
    ) throws {
        let (narrow, content) = try Self.narrowFrame(
            period: example.period, windowLog: example.windowLog, hasContentSize: hasContentSize)
        let beside = sample(1000)
        let small = try frame(beside)
        let wanted = try? Self.streamed(narrow, part: 777, output: 1 << 17)
        let room = content.count + 2000
        let alone = try? CompressorTests.decompressed(narrow, room: content.count)
        #expect(alone == wanted)
        // Nor do the frames around it change anything.
        let several = try? CompressorTests.decompressed(small + narrow + small, room: room)
        #expect(several == wanted.map { beside + $0 + beside })
        #expect(wanted == (example.isRefused ? nil : content))
    }

    /// The context has kept more than the window of the second frame needs.
    @Test(arguments: [true, false]) func `a frame with a wide window lets none behind it reach further`(
        isStreamed: Bool
    ) throws {
        let wide = try Self.narrowFrame(period: 1_200_000, windowLog: 21, hasContentSize: false)
        let narrow = try Self.narrowFrame(period: 1_200_000, windowLog: 19, hasContentSize: false)
        var decompressor = try Decompressor()
        var memory = [UInt8](repeating: 0, count: 2_400_000)
        func count(_ frame: [UInt8]) throws -> Int {
            try memory.withUnsafeMutableBytes { memory in
                var rest = frame.span.bytes
                guard isStreamed else { return try decompressor.decompress(rest, into: memory, offset: 0) }
                try decompressor.begin()
                return try decompressor.stream(&rest, into: memory, offset: 0).written
            }
        }
        #expect(try count(wide.frame) == 2_400_000)
        #expect(throws: CodecFailure.self) { try count(narrow.frame) }
        #expect(try count(wide.frame) == 2_400_000)
        #expect(memory == wide.content)
    }

    @Test func `a context that failed is as good as new`() throws {
        var decompressor = try Decompressor()
        let content = sample(1000)
        let good = try frame(content)
        var memory = [UInt8](repeating: 0, count: 1000)
        for bytes in [Array(good.dropLast()), good] {
            let count = try? memory.withUnsafeMutableBytes {
                try decompressor.decompress(bytes.span.bytes, into: $0, offset: 0)
            }
            #expect(count == (bytes == good ? 1000 : nil))
        }
        #expect(memory == content)
        #expect(decompressor.memory > 0)
    }
}
