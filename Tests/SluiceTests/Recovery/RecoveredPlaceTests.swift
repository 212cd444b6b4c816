import TestSupport
import Testing
import ZstdCodec

@testable import Sluice

/// What is recovered of a file with a seek table goes where it was, even among frames that are alike.
@Suite(.timeLimit(.minutes(1)))
struct RecoveredPlaceTests {
    private static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

    /// A file with a table, and what its frames hold.
    struct Original {
        let content: [UInt8]
        let frameSize: Int
        let file: [UInt8]
        /// Where each frame begins in the file.
        let starts: [Int]

        init(_ content: [UInt8], frameSize: Int, hasChecksums: Bool = true) throws {
            var options = CompressionOptions(level: 1, frameSize: frameSize)
            options.hasChecksum = hasChecksums
            (self.content, self.frameSize) = (content, frameSize)
            file = try Job(Compression(options)).output(of: content)
            starts = file.indices.filter { [file] in
                file[$0] == RecoveredPlaceTests.magic[0] && file[$0...].starts(with: RecoveredPlaceTests.magic)
            }
            try #require(starts.count == (content.count + frameSize - 1) / frameSize)
        }

        /// The content without that of some frames.
        func without(_ frames: Int...) -> [UInt8] {
            var content = content
            for frame in frames {
                let end = min(content.count, (frame + 1) * frameSize)
                for offset in frame * frameSize..<end { content[offset] = 0 }
            }
            return content
        }
    }

    /// Noise of `first` frames, a run of frames that are alike, and a shorter frame.
    private static func run(
        of byte: UInt8, count: Int, first: Int = 1, frameSize: Int = 4096, rest: [UInt8], hasChecksums: Bool = true
    ) throws -> Original {
        let run = [UInt8](repeating: byte, count: count * frameSize)
        return try Original(
            sample(first * frameSize, seed: 7) + run + rest, frameSize: frameSize, hasChecksums: hasChecksums)
    }

    private static let inserted = [1, 23, 24, 46, 100, 512, 525, 4096]

    /// Frames of the run take 23 bytes.
    @Test(arguments: inserted, [0, 1000])
    func `what is inserted before frames that are alike moves nothing after them`(count: Int, rest: Int) throws {
        let original = try Self.run(of: 0, count: 16, rest: sample(rest, seed: 8))
        var damaged = original.file
        damaged.insert(contentsOf: [UInt8](repeating: 0xFF, count: count), at: 1000)
        let (bytes, lost) = try RecoveryTests.recover(damaged)
        #expect(bytes.isSame(as: original.without(0)))
        #expect(lost.isExact && lost.contentSize == 4096 && lost.count == 1)
    }

    /// The chain breaks among them, before a frame that is like no other one.
    @Test(arguments: inserted)
    func `what is inserted before frames that are alike moves nothing, even if one of them is damaged`(
        count: Int
    ) throws {
        let original = try Self.run(of: 0, count: 16, rest: sample(1000, seed: 8))
        for frame in 2..<16 {
            var damaged = original.file
            damaged[original.starts[frame]] ^= 1
            damaged.insert(contentsOf: [UInt8](repeating: 0xFF, count: count), at: 1000)
            let (bytes, lost) = try RecoveryTests.recover(damaged)
            #expect(bytes.isSame(as: original.without(0)))
            #expect(lost.isExact && lost.contentSize == 2 * 4096)
        }
    }

    @Test(arguments: [(100, 512), (4096, 23), (46, 4096), (512, 512)])
    func `what is inserted before and after frames that are alike moves nothing`(before: Int, after: Int) throws {
        let noise = sample(2 * 4096, seed: 8)
        let original = try Self.run(of: 0, count: 16, rest: noise + [UInt8](repeating: 0, count: 4 * 4096) + noise)
        for frame in [nil, 2, 9, 15] {
            var damaged = original.file
            damaged.insert(contentsOf: [UInt8](repeating: 0xFF, count: after), at: original.starts[18] + 100)
            if let frame { damaged[original.starts[frame]] ^= 1 }
            damaged.insert(contentsOf: [UInt8](repeating: 0xFF, count: before), at: 1000)
            let (bytes, lost) = try RecoveryTests.recover(damaged)
            #expect(bytes.isSame(as: original.without(0, 18)))
            #expect(lost.isExact && lost.contentSize == (frame == nil ? 2 : 3) * 4096)
        }
    }

    @Test(arguments: [1, 301, 1000])
    func `what is removed before frames that are alike moves nothing after them`(count: Int) throws {
        let original = try Self.run(of: 0, count: 16, rest: sample(1000, seed: 8))
        for frame in [nil, 2, 9, 15] {
            var damaged = original.file
            if let frame { damaged[original.starts[frame]] ^= 1 }
            damaged.removeSubrange(1000..<1000 + count)
            let (bytes, lost) = try RecoveryTests.recover(damaged)
            #expect(bytes.isSame(as: original.without(0)))
            #expect(lost.isExact && lost.contentSize == (frame == nil ? 1 : 2) * 4096)
        }
    }

    /// The last frame is shorter than the others, but takes as many bytes in the file.
    @Test(arguments: [0, 0x54], [true, false])
    func `of frames that are alike the damaged one is lost`(byte: UInt8, hasChecksums: Bool) throws {
        for rest in [1000, 3000] {
            let original = try Self.run(
                of: byte, count: 6, first: 2, rest: [UInt8](repeating: byte, count: rest), hasChecksums: hasChecksums)
            for frame in 2..<8 {
                var damaged = original.file
                damaged[original.starts[frame]] ^= 1
                let (bytes, lost) = try RecoveryTests.recover(damaged)
                #expect(bytes.isSame(as: original.without(frame)))
                #expect(lost.isExact && lost.contentSize == 4096 && lost.count == 1)
            }
        }
    }

    /// The frames of both runs have the same sizes, and the chain breaks before a frame that is like no other one.
    @Test func `what is inserted before two runs of frames moves neither`() throws {
        let runs = [UInt8](repeating: 0x54, count: 6 * 4096) + [UInt8](repeating: 0, count: 6 * 4096)
        let original = try Self.run(of: 0, count: 8, rest: runs + sample(1000, seed: 8))
        for count in [23, 512] {
            var damaged = original.file
            damaged[original.starts[17]] ^= 1
            damaged[original.starts[3]] ^= 1
            damaged.insert(contentsOf: [UInt8](repeating: 0xFF, count: count), at: original.starts[2] + 10)
            let (bytes, lost) = try RecoveryTests.recover(damaged)
            #expect(bytes.isSame(as: original.content))
            #expect(lost.isExact && lost.contentSize == 3 * 4096)
        }
    }

    @Test func `a frame that is missing from a run does not move the next run of the same sizes`() throws {
        let run = [UInt8](repeating: 0x54, count: 6 * 4096)
        let original = try Self.run(of: 0, count: 8, rest: run + sample(1000, seed: 8))
        var damaged = original.file
        damaged.removeSubrange(original.starts[4]..<original.starts[5])
        let (bytes, lost) = try RecoveryTests.recover(damaged)
        #expect(bytes.isSame(as: original.content))
        #expect(lost.isExact && lost.contentSize == 4096 && lost.count == 1)
    }

    @Test func `copies of frames that are inserted before them are not written again`() throws {
        let original = try Self.run(of: 0, count: 16, rest: sample(1000, seed: 8))
        for count in [1, 5, 16] {
            var damaged = original.file
            let copies = original.file[original.starts[1]..<original.starts[1 + count]]
            damaged.insert(contentsOf: copies, at: 1000)
            let (bytes, lost) = try RecoveryTests.recover(damaged)
            #expect(bytes.isSame(as: original.without(0)))
            #expect(lost.isExact && lost.contentSize == 4096)
        }
    }

    /// They can't be told apart by their sizes.
    @Test(arguments: [0, 512])
    func `frames of noise without checksums keep their places`(inserted: Int) throws {
        var numbers = SeededNumbers(seed: 1)
        let noise = (0..<20 * 4096).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        let original = try Original(noise, frameSize: 4096, hasChecksums: false)
        var damaged = original.file
        for frame in [5, 10, 11, 15] { damaged[original.starts[frame]] ^= 1 }
        damaged.insert(contentsOf: [UInt8](repeating: 0xFF, count: inserted), at: original.starts[5] + 100)
        let (bytes, lost) = try RecoveryTests.recover(damaged)
        #expect(bytes.isSame(as: original.without(5, 10, 11, 15)))
        // Without a checksum, inserted bytes may belong to the frame in front of the gap.
        #expect(lost.isExact == (inserted == 0) && lost.contentSize == 4 * 4096)
    }

    /// Their windows differ as their sizes do.
    @Test(arguments: [true, false])
    func `a listed frame between damaged ones is recovered, whatever its size is`(hasContentSize: Bool) throws {
        var options = CompressionOptions(level: 1)
        options.hasContentSize = hasContentSize
        let parts = [3000, 700, 5000, 900, 4000, 1100, 2000].enumerated().map { patchwork($1, seed: UInt64($0) + 1) }
        var (file, starts, table) = ([UInt8](), [Int](), SeekTable(hasChecksums: true))
        for part in parts {
            let frame = try frame(part, options)
            starts.append(file.count)
            file += frame
            let checksum = UInt32(littleEndianBytes: frame.suffix(4))
            table.append(
                .init(
                    compressedSize: UInt32(frame.count), decompressedSize: UInt32(part.count), checksum: checksum))
        }
        for (offset, inserted) in [(0, 0), (4, 0), (0, 512)] {
            var damaged = file + table.encoded
            damaged[starts[1]] ^= 1
            damaged[starts[3] + offset] ^= 8
            damaged.insert(contentsOf: [UInt8](repeating: 0xFF, count: inserted), at: starts[1] + 20)
            let zeros = [1, 3].map { [UInt8](repeating: 0, count: parts[$0].count) }
            let (bytes, lost) = try RecoveryTests.recover(damaged)
            #expect(bytes.isSame(as: parts[0] + zeros[0] + parts[2] + zeros[1] + parts[4...].joined()))
            #expect(lost.isExact && lost.contentSize == 1600)
        }
    }

    @Test(arguments: [(7, 12), (12, 7), (3, 4), (4, 3), (18, 2)])
    func `a copy of a frame in the place of another one is not its content`(lost: Int, copied: Int) throws {
        let original = try Original(patchwork(20 * 4096, seed: 3), frameSize: 4096)
        func range(_ frame: Int) -> Range<Int> {
            // The stream header follows the first frame.
            original.starts[frame]..<original.starts[frame + 1]
        }
        var damaged = original.file
        damaged.replaceSubrange(range(lost), with: original.file[range(copied)])
        let (_, report) = try RecoveryTests.recover(damaged)
        #expect(report.contentSize >= 4096)
    }

    @Test(arguments: [1, 5, 18])
    func `whether frames are missing is unknown if a damaged table lists another number of them`(missing: Int) throws {
        let original = try Original(patchwork(20 * 4096, seed: 4), frameSize: 4096)
        var damaged = original.file
        damaged.removeLast()
        #expect(try RecoveryTests.recover(damaged).lost.isExact)
        damaged.removeSubrange(original.starts[missing]..<original.starts[missing + 1])
        #expect(try !RecoveryTests.recover(damaged).lost.isExact)
    }
}
