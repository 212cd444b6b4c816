import TestSupport
import Testing

@testable import ZstdCodec

/// What is said before a run is at least what its contexts hold in the end, and no multiple of it.
struct CompressionMemoryTests {
    private static func content(_ size: Int) -> [UInt8] {
        var state: UInt64 = 42
        let piece = (0..<min(size, 100_000)).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 60)
        }
        var content: [UInt8] = []
        while content.count < size { content += piece }
        content.removeLast(content.count - size)
        return content
    }

    @Test(arguments: [-7, 1, 3, 5, 9, 13, 16, 19], [1, 100_000, 1 << 20, 3 << 20])
    func `a context holds no more than was said`(level: Int, size: Int) throws {
        let options = CompressionOptions(level: level)
        let content = Self.content(size)
        var compressor = try Compressor(options)
        var frame = [UInt8](repeating: 0, count: CompressionOptions.bound(size))
        _ = try frame.withUnsafeMutableBytes { frame in try compressor.compress(content.span.bytes, into: frame) }
        let said = options.contextMemory(contentSize: UInt64(size))
        #expect(compressor.memory <= said)
        #expect(said <= 2 * compressor.memory + 1 << 20)
    }

    @Test(arguments: [(1, nil), (3, nil), (12, nil), (3, 23), (9, 25)] as [(Int, Int?)], [0, 1, 3])
    func `libzstd's own workers hold no more than was said`(level: (Int, Int?), workers: Int) throws {
        try expectBound(of: CompressionOptions(level: level.0, longWindowLog: level.1), workers: workers)
    }

    /// Bytes.
    private static let referenceSize = (isLong ? 30 : 12) << 20

    @Test(arguments: [1, 3, 9, 16], [0, 1, 3])
    func `a difference to a reference holds no more than was said`(level: Int, workers: Int) throws {
        let reference = Reference(Self.content(Self.referenceSize))
        var options = CompressionOptions(level: level)
        try options.reach(referenceSize: UInt64(Self.referenceSize), contentSize: nil)
        try expectBound(of: options, CompressionDictionary(reference: reference), workers: workers)
    }

    /// libzstd chooses its tables for the content and the reference together; so little content it does not divide.
    @Test(arguments: [1, 3, 9, 16], [1 << 10, 400 << 10])
    func `a small difference to a large reference holds no more than was said`(level: Int, size: Int) throws {
        let reference = Reference(Self.content(Self.referenceSize))
        var options = CompressionOptions(level: level)
        try options.reach(referenceSize: UInt64(Self.referenceSize), contentSize: UInt64(size))
        try expectBound(of: options, CompressionDictionary(reference: reference), workers: 3, known: size)
    }

    /// - Parameter known: the size that is announced; nil for 9 MiB that are not.
    private func expectBound(
        of options: CompressionOptions, _ dictionary: CompressionDictionary? = nil, workers: Int, known: Int? = nil
    ) throws {
        let content = Self.content(known ?? 9 << 20)
        let contentSize = known.map { UInt64($0) }
        var compressor = try Compressor(options, workers: workers, dictionary: dictionary)
        var frame = [UInt8](repeating: 0, count: CompressionOptions.bound(content.count))
        try compressor.begin(contentSize: contentSize)
        try frame.withUnsafeMutableBytes { frame in
            var rest = content.span.bytes
            var (position, isDone) = (0, false)
            while !isDone {
                let output = UnsafeMutableRawBufferPointer(rebasing: frame[position...])
                let (written, ended) = try compressor.stream(&rest, into: output, isLast: true)
                (position, isDone) = (position + written, ended)
            }
        }
        #expect(
            compressor.memory
                <= options.streamMemory(workers: workers, contentSize: contentSize, dictionary: dictionary))
    }

    @Test func `a level has the numbers that zstd shows`() throws {
        let level = try #require(LevelParameters(level: 3, contentSize: 1294))
        #expect(level[.windowLog] == 11)
        #expect(level[.strategy] == 2)
        var chosen = level
        chosen.take([.windowLog: 20, .strategy: 0, .jobSize: 7])
        #expect(chosen[.windowLog] == 20)
        #expect(chosen[.strategy] == level[.strategy])
    }
}

private final class Reference: HeldMemory {
    nonisolated(unsafe) private let content: UnsafeMutableRawBufferPointer

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(content) }

    init(_ bytes: [UInt8]) {
        content = .allocate(byteCount: bytes.count, alignment: 1)
        content.copyBytes(from: bytes)
    }

    deinit { content.deallocate() }
}
