import TestSupport
import Testing
import ZstdCodec

@testable import Sluice

/// What is recovered of a file with a seek table goes where it was, even among frames that are alike.
@Suite(.timeLimit(.minutes(1)))
struct RecoveredPlaceTests {
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
