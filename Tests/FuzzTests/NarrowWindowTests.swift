import FuzzSubjects
import TestSupport
import Testing
import ZstdCodec

/// A frame whose matches reach beyond its window has one verdict, which is that of libzstd's streaming decoder, however
/// it comes and whatever stands before it.
@Suite(.timeLimit(.minutes(4)))
struct NarrowWindowTests {
    /// Content whose matches are this far away, in bytes.
    static let distances = [30_000, 150_000, 300_000, 700_000]

    private static func content(_ distance: Int) -> [UInt8] {
        let stretch = sample(distance)
        return stretch + sample(2000, seed: 7) + stretch + stretch.prefix(distance / 2)
    }

    /// Three frames with one content: of one window, and the byte behind the descriptor says which.
    private static func frames(of content: [UInt8]) throws -> [[UInt8]] {
        try [true, false].flatMap { hasChecksum in
            try [true, false].map { hasSize in
                var options = CompressionOptions(level: 6, hasChecksum: hasChecksum)
                options.parameters[.windowLog] = 22
                options.hasContentSize = hasSize
                return try frame(content, options)
            }
        }
    }

    @Test(arguments: distances, [UInt8](stride(from: 0, through: 0x58, by: 8)))
    func `one verdict of all ways to decode it`(distance: Int, window: UInt8) throws {
        let decoding = try #require(Subject.all.firstIndex { $0.name == "decoding" })
        let small = try frame(sample(50))
        for frame in try Self.frames(of: Self.content(distance)) where frame[4] & 0x20 == 0 {
            var narrow = frame
            narrow[5] = window
            for bytes in [narrow, small + narrow + small] {
                // As small files are, on one core, on several, and through a pipe, where that holds all of it.
                for way in UInt8(0)..<(bytes.count < 64 << 10 ? 4 : 3) {
                    #expect(throws: Never.self) { try Subject.examine([UInt8(decoding), way] + bytes) }
                }
            }
        }
    }

    @Test(arguments: distances, [0, 0x20, 0x48] as [UInt8])
    func `a range and a member have that verdict too`(distance: Int, window: UInt8) throws {
        let content = Self.content(distance)
        var archive = TarSample()
        archive.file("far", content)
        archive.zeros()
        for frame in try Self.frames(of: archive.bytes) where frame[4] & 0x20 == 0 {
            var narrow = frame
            narrow[5] = window
            #expect(throws: Never.self) {
                try Subject.examineParts(of: narrow, member: "far", at: 512..<512 + content.count)
            }
        }
    }
}
