import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// What is recovered of a file with a seek table goes where it was, even among frames that are alike.
@Suite(.timeLimit(.minutes(4)))
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
        #expect(lost.isOfContent && lost.recovered == UInt64(original.content.count - 4096))
    }

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
            #expect(lost.isOfContent && lost.recovered == UInt64(original.content.count - 2 * 4096))
        }
    }

    /// With the last one, the broken frame leads into the table.
    @Test(arguments: [1, 301, 1000])
    func `what is removed before frames that are alike moves nothing after them`(count: Int) throws {
        let original = try Self.run(of: 0, count: 16, rest: sample(1000, seed: 8))
        for frame in [nil, 2, 9, 15] {
            var damaged = original.file
            if let frame { damaged[original.starts[frame]] ^= 1 }
            damaged.removeSubrange(1000..<1000 + count)
            let (bytes, lost) = try RecoveryTests.recover(damaged)
            #expect(bytes.isSame(as: original.without(0)))
            #expect(lost.isOfContent)
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

    /// They can't be told apart by their sizes, but by where they are.
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
        #expect(report.isOfContent)
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

    enum Rearrangement: CaseIterable {
        case swapped, swappedApart, copied, copiedElsewhere, missing

        func rearrange(_ original: Original, at frame: Int) -> [UInt8] {
            func bytes(_ frame: Int) -> ArraySlice<UInt8> {
                original.file[original.starts[frame]..<original.starts[frame + 1]]
            }
            func joined(_ frames: [Int]) -> [UInt8] {
                let last = original.starts.count - 1
                return frames.reduce(into: Array(original.file[..<original.starts[1]])) { $0 += bytes($1) }
                    + original.file[original.starts[last]...]
            }
            var frames = Array(1..<original.starts.count - 1)
            switch self {
            case .swapped: frames.swapAt(frame - 1, frame)
            case .swappedApart: frames.swapAt(frame - 1, frame + 4)
            case .copied: frames.insert(frame, at: frame)
            case .copiedElsewhere: frames.insert(frame, at: frame + 4)
            case .missing: frames.remove(at: frame - 1)
            }
            return joined(frames)
        }
    }

    /// Each byte stands where it belongs, or what stands before it is told to be lost, by an unknown amount.
    @Test(arguments: Rearrangement.allCases, [true, false])
    func `frames in other places are never taken for the whole`(how: Rearrangement, isAlike: Bool) throws {
        let content = patchwork(20 * 4096, seed: 3)
        let original =
            isAlike
            ? try Self.run(of: 0x54, count: 9, first: 5, rest: patchwork(6 * 4096, seed: 3))
            : try Original(content, frameSize: 4096)
        for frame in 1...12 {
            let damaged = how.rearrange(original, at: frame)
            if damaged.isSame(as: original.file) { continue }
            let (bytes, lost) = try RecoveryTests.recover(damaged)
            #expect(lost.isOfContent || bytes.isSame(as: original.content), "frame \(frame)")
            #expect(lost.recovered == UInt64(bytes.count) - lost.filled)
            // As far as no loss was told, it is the content.
            let known = Int(lost.ranges.first?.contentOffset ?? UInt64(bytes.count))
            #expect(bytes[..<known].elementsEqual(original.content[..<known]))
        }
    }
}
