import TestSupport
import Testing

@testable import ZstdCodec

/// Frames that are made in slices have the bytes of those that are made in one call.
struct FrameSliceTests {
    /// What there is to compress: half of it noise, much that repeats, a byte, and stretches of each.
    enum Kind: CaseIterable {
        case sample, patchwork, zeros, mixture

        func content(_ count: Int) -> [UInt8] {
            switch self {
            case .sample: return TestSupport.sample(count)
            case .patchwork: return TestSupport.patchwork(count)
            case .zeros: return [UInt8](repeating: 0, count: count)
            case .mixture:
                let (noise, near) = (TestSupport.sample(count, seed: 3), TestSupport.patchwork(count, seed: 5))
                return (0..<count).map { [noise[$0], near[$0], 7, UInt8($0 >> 9 & 0xFF)][$0 / 70_001 % 4] }
            }
        }
    }

    private static func make(
        _ content: [UInt8], _ compressor: inout Compressor, goesOn: ((Int) -> Bool)?
    ) throws -> [UInt8]? {
        var memory = [UInt8](repeating: 0, count: CompressionOptions.bound(content.count))
        let count =
            try memory.withUnsafeMutableBytes {
                guard let goesOn else { return try compressor.compress(content.span.bytes, into: $0) }
                return try compressor.compress(content.span.bytes, into: $0, goesOn: goesOn)
            } as Int?
        return count.map { Array(memory[..<$0]) }
    }

    /// Checks frames of one context: in slices, in one call, and in slices again.
    private static func check(
        _ content: [UInt8], _ options: CompressionOptions, dictionary: CompressionDictionary? = nil
    ) throws {
        var compressor = try Compressor(options, dictionary: dictionary)
        let whole = try make(content, &compressor, goesOn: nil)
        for _ in 0..<2 {
            var consumed = 0
            let sliced = try make(content, &compressor) { count in
                consumed += count
                return true
            }
            #expect(sliced == whole, "\(options) of \(content.count) bytes")
            let last = (content.count - 1) / Compressor.sliceSize * Compressor.sliceSize
            #expect(consumed == (Compressor.makesSlices ? max(0, last) : 0))
            #expect(try make(content, &compressor, goesOn: nil) == whole)
        }
    }

    @Test(arguments: CompressionOptions.levels.filter { $0 >= -7 }, Kind.allCases)
    func `at every level`(level: Int, kind: Kind) throws {
        // At the highest levels, a second for a MiB.
        let count = level > 15 ? 600_000 : 1_500_000
        try Self.check(kind.content(count), CompressionOptions(level: level))
    }

    @Test(arguments: [0, 1, 1 << 17, 1 << 18, (1 << 18) + 1, 1 << 19, (1 << 19) - 1, (1 << 19) + (1 << 17), 1 << 20])
    func `of every size`(count: Int) throws {
        for level in [-3, 1, 3, 6, 12, 16] {
            try Self.check(Kind.patchwork.content(count), CompressionOptions(level: level))
        }
    }

    @Test(arguments: [1, 3, 9, 17])
    func `with a window, without checksums, with a reference and with a dictionary`(level: Int) throws {
        let content = Kind.mixture.content(1_200_000)
        for window in [10, 17, 22] {
            var options = CompressionOptions(level: level)
            options.parameters[.windowLog] = window
            try Self.check(content, options)
        }
        try Self.check(content, CompressionOptions(level: level, longWindowLog: 27))
        try Self.check(content, CompressionOptions(level: level, hasChecksum: false))
        let options = CompressionOptions(level: level)
        let digest = try CompressionDictionary(digesting: content[1000..<60_000].span.bytes, for: options)
        try Self.check(content, options, dictionary: digest)
    }

    @Test func `a frame that is given up leaves its context as it was`() throws {
        let content = Kind.sample.content(1_000_000)
        var compressor = try Compressor(CompressionOptions(level: 3))
        let whole = try Self.make(content, &compressor, goesOn: nil)
        var slices = 0
        let given = try Self.make(content, &compressor) { _ in
            slices += 1
            return slices < 2
        }
        #expect(given == (Compressor.makesSlices ? nil : whole))
        #expect(try Self.make(content, &compressor, goesOn: nil) == whole)
        #expect(try Self.make(content, &compressor, goesOn: { _ in true }) == whole)
    }

    @Test func `too little memory is an error, as in one call`() throws {
        let content = Kind.sample.content(1_000_000)
        var compressor = try Compressor(CompressionOptions(level: 3))
        var memory = [UInt8](repeating: 0, count: 100_000)
        #expect(throws: CodecFailure.self) {
            try memory.withUnsafeMutableBytes {
                try compressor.compress(content.span.bytes, into: $0, goesOn: { _ in true })
            }
        }
        #expect(try Self.make(content, &compressor, goesOn: { _ in true }) != nil)
    }
}
