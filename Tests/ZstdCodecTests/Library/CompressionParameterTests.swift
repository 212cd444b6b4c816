import TestSupport
import Testing

@testable import ZstdCodec

struct CompressionParameterTests {
    static let content = patchwork(300_000)

    static func options(level: Int = 6, _ parameters: [CompressionParameter: Int]) -> CompressionOptions {
        var options = CompressionOptions(level: level)
        options.parameters = parameters
        return options
    }

    @Test(arguments: CompressionParameter.all, [true, false])
    func `content comes back with every parameter at either of its bounds`(
        parameter: CompressionParameter, isUpper: Bool
    ) throws {
        let bounds = try #require(parameter.bounds)
        let options = Self.options([parameter: isUpper ? bounds.upperBound : bounds.lowerBound])
        let compressed = try frame(Self.content, options)
        #expect(try CompressorTests.decompressed(compressed, room: Self.content.count) == Self.content)
        try options.check()
        #expect(try frame(Self.content, Self.options([parameter: 0])) == frame(Self.content, Self.options([:])))
    }

    /// Those of which libzstd raises and lowers values, from 1.5.6 on also the second.
    private static let clamped: [CompressionParameter] =
        [.overlapLog, .jobSize] + (libraryVersion >= "1.5.6" ? [.targetCBlockSize] : [])

    @Test(arguments: clamped) func `what libzstd takes for the nearest bound is passed on`(
        parameter: CompressionParameter
    ) throws {
        let bounds = try #require(parameter.bounds)
        for (value, bound) in [(1, max(1, bounds.lowerBound)), (Int(Int32.max), bounds.upperBound)] {
            if parameter == .targetCBlockSize, value > bound { continue }
            let options = Self.options([parameter: value])
            try options.check()
            #expect(try frame(Self.content, options) == frame(Self.content, Self.options([parameter: bound])))
        }
    }

    @Test(arguments: CompressionParameter.all.filter { !clamped.contains($0) }, [true, false])
    func `what is out of bounds is refused with them`(parameter: CompressionParameter, isUpper: Bool) throws {
        let bounds = try #require(parameter.bounds)
        let value = isUpper ? bounds.upperBound + 1 : bounds.lowerBound - 1
        guard value != 0 else { return }
        let options = Self.options([parameter: value])
        let failure = CodecFailure.parameter(name: parameter.description, value: value, bounds: bounds)
        #expect(throws: failure) { try options.check() }
        #expect(throws: failure) { _ = try Compressor(options) }
    }

    @Test func `a value that no number of libzstd holds is refused, and ends nothing`() {
        for value in [Int.min, .max, 1 << 32, 1 << 40 | 20] {
            #expect(throws: CodecFailure.self) { _ = try Compressor(Self.options([.windowLog: value])) }
            #expect(throws: CodecFailure.self) { try CompressionOptions(longWindowLog: value).check() }
        }
    }

    @Test(
        arguments: [
            (.windowLog, 12), (.hashLog, 6), (.searchLog, 1), (.minMatch, 7), (.strategy, 1),
            (.targetCBlockSize, 1500), (.useRowMatchFinder, 2), (.literalCompressionMode, 2),
        ] as [(CompressionParameter, Int)])
    func `a parameter reaches libzstd`(parameter: CompressionParameter, value: Int) throws {
        #expect(try frame(Self.content, Self.options([parameter: value])) != frame(Self.content, Self.options([:])))
    }

    @Test(
        arguments: [(.ldmHashLog, 6), (.ldmMinMatch, 4), (.ldmBucketSizeLog, 1), (.ldmHashRateLog, 10)]
            as [(CompressionParameter, Int)])
    func `a parameter of long matches reaches libzstd`(parameter: CompressionParameter, value: Int) throws {
        var options = Self.options(level: 1, [.ldmMinMatch: 8])
        options.longWindowLog = 20
        let without = try frame(Self.content, options)
        options.parameters[parameter] = value
        #expect(try frame(Self.content, options) != without)
    }

    /// It is of use where there are chains, or a tree of them.
    @Test func `the chain log reaches libzstd`() throws {
        let short = try frame(Self.content, Self.options(level: 13, [.chainLog: 6]))
        #expect(try short.count > frame(Self.content, Self.options(level: 13, [:])).count)
    }

    @Test func `the target length reaches libzstd`() throws {
        let weak = try frame(Self.content, Self.options(level: 1, [.targetLength: 100]))
        #expect(try weak.count > frame(Self.content, Self.options(level: 1, [:])).count)
    }

    @Test func `the window is the one that was asked for`() throws {
        let compressed = try frame(Self.content, Self.options([.windowLog: 15]))
        #expect(try scan(compressed).first?.header?.windowSize == 1 << 15)
        // One that reaches beyond the content is cut to it, so that independent frames never ask for more than their
        // size.
        let wide = try frame(Self.content, Self.options([.windowLog: 27]))
        #expect(try scan(wide).first?.header?.windowSize == 300_000)
    }

    @Test(arguments: [0, 1, 100, 300_000])
    func `a frame may keep its content size to itself`(count: Int) throws {
        var options = CompressionOptions(level: 1)
        options.hasContentSize = false
        let content = Array(Self.content.prefix(count))
        let compressed = try frame(content, options)
        let scanned = try #require(try scan(compressed).first)
        #expect(scanned.header?.contentSize == nil)
        #expect(scanned.decompressedBound >= UInt64(count))
        #expect(try CompressorTests.decompressed(compressed, room: Int(scanned.decompressedBound)) == content)
    }

    @Test(arguments: [64, 1500, 131_072], [0, 1, 1000, 128 << 10, 1_000_000])
    func `no frame of small blocks is larger than its bound`(blockSize: Int, count: Int) throws {
        var noise = SystemRandomNumberGenerator()
        let content = (0..<count).map { _ in UInt8.random(in: 0...255, using: &noise) }
        let compressed = try frame(content, Self.options(level: 1, [.targetCBlockSize: blockSize]))
        #expect(compressed.count <= CompressionOptions.bound(count))
        #expect(try CompressorTests.decompressed(compressed, room: count) == content)
    }

    @Test func `the strongest of all comes back, and takes memory for its content only`() throws {
        var options = CompressionOptions()
        options.maximize(contentSize: UInt64(Self.content.count))
        var compressor = try Compressor(options)
        var compressed = [UInt8](repeating: 0, count: CompressionOptions.bound(Self.content.count))
        let count = try compressed.withUnsafeMutableBytes { try compressor.compress(Self.content.span.bytes, into: $0) }
        compressed.removeLast(compressed.count - count)
        #expect(try CompressorTests.decompressed(compressed, room: Self.content.count) == Self.content)
        #expect(compressor.memory < 64 << 20)
        #expect(try count < frame(Self.content, CompressionOptions(level: 1)).count)
    }

    @Test(
        arguments: [(100, nil, 8), (100, 1 << 20, 20), (1 << 30, 3000, 12), (1 << 31, 1 << 31, 31)]
            as [(UInt64, UInt64?, Int)])
    func `a difference has a window for its content`(
        referenceSize: UInt64, contentSize: UInt64?, windowLog: Int
    ) throws {
        var options = CompressionOptions(longWindowLog: 17)
        options.parameters[.windowLog] = 11
        try options.reach(referenceSize: referenceSize, contentSize: contentSize)
        #expect(options.longWindowLog == max(10, windowLog))
        #expect(options.parameters[.windowLog] == nil)
    }

    @Test(arguments: [(1 << 31 + 1, 5), (5, 1 << 31 + 1), (.max, nil)] as [(UInt64, UInt64?)])
    func `a difference that reaches too far is refused`(referenceSize: UInt64, contentSize: UInt64?) {
        var options = CompressionOptions()
        let bytes = max(referenceSize, contentSize ?? 0)
        #expect(throws: CodecFailure.tooLargeForReference(bytes: bytes, limit: 1 << 31)) {
            try options.reach(referenceSize: referenceSize, contentSize: contentSize)
        }
    }
}
