import CZstd
import TestSupport
import Testing

@testable import ZstdCodec

struct CompressorTests {
    static func decompressed(_ frames: [UInt8], room: Int) throws -> [UInt8] {
        var decompressor = try Decompressor()
        var content = [UInt8](repeating: 0, count: room)
        let count = try content.withUnsafeMutableBytes {
            try decompressor.decompress(frames.span.bytes, into: $0, offset: 5)
        }
        return Array(content.prefix(count))
    }

    /// One frame, from parts of this size and through an output of that.
    static func streamed(
        _ content: [UInt8], announced: UInt64?, part: Int, output: Int, workers: Int = 0
    ) throws -> [UInt8] {
        var compressor = try Compressor(CompressionOptions(level: 1), workers: workers)
        try compressor.begin(contentSize: announced)
        var frame: [UInt8] = []
        var memory = [UInt8](repeating: 0, count: output)
        let parts = stride(from: 0, to: content.count, by: part).map { content[$0..<min($0 + part, content.count)] }
        for (part, isLast) in parts.map({ ($0, false) }) + [([], true)] {
            try memory.withUnsafeMutableBytes { memory in
                var rest = part.span.bytes
                var isDone = false
                while !isDone {
                    let written: Int
                    (written, isDone) = try compressor.stream(&rest, into: memory, isLast: isLast)
                    frame += memory[..<written]
                }
            }
        }
        return frame
    }

    @Test(arguments: [-7, 1, 3, 9, 19, 22], [0, 1, 100, 70_000])
    func `what is compressed comes back`(level: Int, count: Int) throws {
        let content = sample(count)
        #expect(try Self.decompressed(frame(content, CompressionOptions(level: level)), room: count) == content)
    }

    /// The frames of one context whose level changes from frame to frame.
    static func frames(_ content: [UInt8], levels: [Int], dictionary: [UInt8]) throws -> [[UInt8]] {
        var options = CompressionOptions(level: levels[0])
        options.adaptiveLevels = -3...19
        // What adapts has no digest of its dictionary: that would keep its level.
        let digest = try CompressionDictionary(digesting: dictionary.span.bytes, for: options)
        var compressor = try Compressor(options, dictionary: dictionary.isEmpty ? nil : digest)
        var frames: [[UInt8]] = []
        for level in levels {
            try compressor.setLevel(level)
            var memory = [UInt8](repeating: 0, count: CompressionOptions.bound(content.count))
            let count = try memory.withUnsafeMutableBytes { try compressor.compress(content.span.bytes, into: $0) }
            frames.append(Array(memory[..<count]))
        }
        return frames
    }

    @Test(arguments: [-3, 1, 9, 19])
    func `a level that is set is that of the next frame, with a dictionary too`(level: Int) throws {
        let content = patchwork(300_000)
        for dictionary in [[], Array(content[..<5000])] {
            let frames = try Self.frames(content, levels: [4, level], dictionary: dictionary)
            let isObeyed = frames[1] == (try Self.frames(content, levels: [level], dictionary: dictionary)[0])
            let isAnother = frames[1] != frames[0]
            // Said so, for what differs is long.
            #expect(isObeyed && isAnother)
        }
    }

    @Test func `a context is as good as new after each frame`() throws {
        var compressor = try Compressor(CompressionOptions(level: 1))
        let content = sample(5000)
        var frames: [[UInt8]] = []
        for _ in 0..<3 {
            var memory = [UInt8](repeating: 0, count: CompressionOptions.bound(content.count))
            let count = try memory.withUnsafeMutableBytes { try compressor.compress(content.span.bytes, into: $0) }
            frames.append(Array(memory[..<count]))
        }
        #expect(Set(frames) == [try frame(content)])
    }

    @Test func `a frame that has no room throws, and takes nothing along`() throws {
        var compressor = try Compressor(CompressionOptions(level: 1))
        let content = sample(5000)
        var memory = [UInt8](repeating: 0xAA, count: 100)
        #expect(throws: CodecFailure.self) {
            try memory.withUnsafeMutableBytes {
                let room = UnsafeMutableRawBufferPointer(rebasing: $0[..<50])
                return try compressor.compress(content.span.bytes, into: room)
            }
        }
        #expect(memory[50...].allSatisfy { $0 == 0xAA })
    }

    @Test(arguments: [(1000, 1 << 17), (70_000, 1000), (1 << 20, 7)], [0, 2])
    func `a frame from parts does not depend on the parts`(sizes: (part: Int, output: Int), workers: Int) throws {
        let content = sample(200_000)
        let whole = try Self.streamed(content, announced: 200_000, part: 200_000, output: 1 << 20, workers: workers)
        let parted = try Self.streamed(
            content, announced: 200_000, part: sizes.part, output: sizes.output, workers: workers)
        #expect(parted == whole)
        #expect(try Self.decompressed(parted, room: content.count) == content)
    }

    // What is too much shows before the last part, which alone tells how much there is.
    @Test(
        arguments: [(99_999, nil), (100_001, 100_000), (0, nil), (89_999, nil)] as [(UInt64, UInt64?)], [0, 2])
    func `parts that are not what was announced are refused`(sizes: (UInt64, UInt64?), workers: Int) {
        let (announced, actual) = sizes
        #expect(throws: CodecFailure.contentSizeMismatch(announced: announced, actual: actual)) {
            try Self.streamed(sample(100_000), announced: announced, part: 30_000, output: 1 << 17, workers: workers)
        }
    }

    @Test func `an announced size is in the header, and only then`() throws {
        let announced = try Self.streamed(sample(1000), announced: 1000, part: 100, output: 1000)
        #expect(try scan(announced).first?.header?.contentSize == 1000)
        let unannounced = try Self.streamed(sample(1000), announced: nil, part: 100, output: 1000)
        #expect(try scan(unannounced).first?.header?.contentSize == nil)
    }

    @Test(arguments: [27, 30, 31])
    func `a long window is in the header`(windowLog: Int) throws {
        var compressor = try Compressor(CompressionOptions(level: 1, longWindowLog: windowLog))
        try compressor.begin(contentSize: nil)
        #expect(compressor.memory > 0)
        #expect(throws: CodecFailure.self) { _ = try Compressor(CompressionOptions(longWindowLog: windowLog + 10)) }
    }

    /// What libzstd makes of the content by itself.
    static func libzstdFrame(_ content: [UInt8], level: Int, hasSize: Bool) throws -> [UInt8] {
        let context = try #require(ZSTD_createCCtx())
        defer { ZSTD_freeCCtx(context) }
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Int32(level))
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, hasSize ? 1 : 0)
        var frame = [UInt8](repeating: 0, count: CompressionOptions.bound(content.count))
        frame.removeLast(frame.count - ZSTD_compress2(context, &frame, frame.count, content, content.count))
        return frame
    }

    /// Levels, and bytes of content.
    static let contents: [(Int, Int)] = [
        (-5, 4 << 20), (1, 4_194_304), (1, 4_194_303), (1, 600_000), (1, 524_289), (1, 524_288), (1, 2_359_297),
        (3, 8_388_608), (3, 8_388_609), (9, 5_000_000), (1, 0),
    ]

    @Test(arguments: contents, [true, false])
    func `a frame of up to 8 MiB says a window that holds it, and else is libzstd's`(
        frame: (level: Int, count: Int), hasSize: Bool
    ) throws {
        let content = patchwork(frame.count)
        var options = CompressionOptions(level: frame.level)
        options.hasContentSize = hasSize
        var ours = try TestSupport.frame(content, options)
        let wanted = try Self.libzstdFrame(content, level: frame.level, hasSize: hasSize)
        let header = try #require(try scan(ours).first?.header)
        let narrow = try #require(try scan(wanted).first?.header)
        let isWide = frame.count <= 8_388_608
        #expect(header.isNarrow(for: UInt64(frame.count)) == !isWide)
        #expect(isWide ? header.windowSize <= 8_388_608 : header == narrow)
        if wanted[4] & 0x20 == 0 { ours[5] = wanted[5] }
        #expect(ours.isSame(as: wanted))
    }

    @Test(arguments: [1, 3], [0, 2])
    func `a frame of announced content says such a window too, and one that was asked for stays`(
        level: Int, workers: Int
    ) throws {
        let content = patchwork(3_000_000)
        for (announced, isWide) in [(UInt64(content.count), true), (nil, false)] {
            let frame = try Self.streamed(content, announced: announced, part: 70_000, output: 9, workers: workers)
            #expect(try scan(frame).first?.header?.isNarrow(for: 3_000_000) == !isWide)
            #expect(try Self.decompressed(frame, room: content.count).isSame(as: content))
        }
        for window in [10, 17, 20] {
            var options = CompressionOptions(level: level)
            options.parameters[.windowLog] = window
            #expect(try scan(frame(content, options)).first?.header?.windowSize == 1 << UInt64(window))
            options = CompressionOptions(level: level, longWindowLog: window)
            #expect(try scan(frame(content, options)).first?.header?.windowSize == 1 << UInt64(window))
        }
    }

    @Test(arguments: [
        (1, 4 << 20), (3, 8 << 20), (5, 12 << 20), (8, 12 << 20), (9, 24 << 20), (19, 32 << 20), (22, 128 << 20),
        (-5, 4 << 20),
    ])
    func `frames are as large as the level likes them`(level: Int, size: Int) {
        #expect(CompressionOptions(level: level).effectiveFrameSize == size)
        #expect(CompressionOptions(level: level, frameSize: 4096).effectiveFrameSize == 4096)
        #expect(CompressionOptions.frameSizes.contains(size))
        #expect(CompressionOptions.levels.contains(level))
    }

    @Test(arguments: [0, 1, 1000, 128 << 10, 1_000_000])
    func `no frame is larger than its bound`(count: Int) throws {
        var noise = SystemRandomNumberGenerator()
        let content = (0..<count).map { _ in UInt8.random(in: 0...255, using: &noise) }
        #expect(try frame(content, CompressionOptions(level: 1)).count <= CompressionOptions.bound(count))
    }
}
