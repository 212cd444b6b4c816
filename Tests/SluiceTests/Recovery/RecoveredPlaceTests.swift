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
            file = try Job(.compress(.init(options))).output(of: content)
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

    @Test func `a frame that is missing from a run does not move the next run of the same sizes`() throws {
        let run = [UInt8](repeating: 0x54, count: 6 * 4096)
        let original = try Self.run(of: 0, count: 8, rest: run + sample(1000, seed: 8))
        var damaged = original.file
        damaged.removeSubrange(original.starts[4]..<original.starts[5])
        let (bytes, lost) = try RecoveryTests.recover(damaged)
        #expect(bytes.isSame(as: original.content))
        #expect(lost.isExact && lost.contentSize == 4096 && lost.count == 1)
    }

    /// They can't be told apart by their sizes.
    @Test func `frames of noise without checksums keep their places`() throws {
        var numbers = SeededNumbers(seed: 1)
        let noise = (0..<20 * 4096).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        let original = try Original(noise, frameSize: 4096, hasChecksums: false)
        var damaged = original.file
        for frame in [5, 10, 11, 15] { damaged[original.starts[frame]] ^= 1 }
        let (bytes, lost) = try RecoveryTests.recover(damaged)
        #expect(bytes.isSame(as: original.without(5, 10, 11, 15)))
        #expect(lost.isExact && lost.contentSize == 4 * 4096)
    }

    /// Their windows differ as their sizes do.
    @Test func `a listed frame between damaged ones is recovered, whatever its size is`() throws {
        let parts = [3000, 700, 5000, 900, 4000, 1100, 2000].enumerated().map { patchwork($1, seed: UInt64($0) + 1) }
        var (file, starts, table) = ([UInt8](), [Int](), SeekTable(hasChecksums: true))
        for part in parts {
            let frame = try frame(part)
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
}
