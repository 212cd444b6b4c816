import Glibc
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// No number from a file reaches an allocation, or plain arithmetic.
@Suite(.timeLimit(.minutes(4)))
struct HostileInputTests {
    /// The largest number of all is libzstd's own for a size that is not known.
    @Test(arguments: [UInt64(1) << 32, 1 << 40, 1 << 62, UInt64.max - 1])
    func `a frame that claims more content than its blocks bear is corrupt`(claim: UInt64) async throws {
        let outcome = try await within {
            try Job.decompress().outcome(of: repeatedFrame(blocks: 3, contentSize: claim))
        }
        #expect(outcome.failure != nil)
        #expect(outcome.bytes.isPrefix(of: [UInt8](repeating: 0, count: 3 << 17)))
    }

    @Test func `a window over the limit is refused, and accepted under a higher limit`() async throws {
        // RFC 8878, 3.1.1.1.2: 2^(10 + 22), 4 GiB.
        let bytes: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 22 << 3, 1, 0, 0] + [UInt8](repeating: 0, count: 31)
        let outcome = try await within { try Job.decompress().outcome(of: bytes) }
        #expect(outcome.failure == .codec(.windowTooLarge(bytes: 1 << 32, limit: 1 << 27, offset: 0)))
        let just: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 20 << 3, 1, 0, 0]
        let accepted = try await within { try Job(Decompression(windowLimit: 1 << 30)).outcome(of: just) }
        #expect(accepted.failure == nil)
    }

    @Test func `the limit may be any number`() async throws {
        let outcome = try await within {
            var operation = Decompression(windowLimit: Int.max)
            // The frame comes in segments.
            operation.room.slotSize = 1 << 16
            return try Job(operation).outcome(of: repeatedFrame(blocks: 3))
        }
        #expect(outcome.failure == nil)
        #expect(outcome.bytes.count == 3 << 17)
    }

    @Test(arguments: [UInt32(5), 1 << 31, .max])
    func `a skippable frame that is longer than the input is cut`(size: UInt32) async throws {
        let outcome = try await within {
            let size = withUnsafeBytes(of: size.littleEndian) { Array($0) }
            return try Job.decompress().outcome(of: frame(sample(100)) + [0x5A, 0x2A, 0x4D, 0x18] + size + [1, 2])
        }
        guard case .truncated? = outcome.failure?.codecFailure else {
            Issue.record("not called truncated: \(String(describing: outcome.failure))")
            return
        }
        #expect(outcome.bytes == sample(100))
    }

    /// In a process of its own, whose peak memory is this run's: 32 KB that become 1 GiB.
    @Test(.enabled(if: measures)) func `a small frame of much content is not held as a whole`() async {
        await #expect(processExitsWith: .success) {
            let input = try NamelessFile(frame([1]) + repeatedFrame(blocks: 8192) + frame([2]))
            let before = peakMemory()
            let (failure, summary) = try Job.decompress().finished(from: input.descriptor, to: nil)
            #expect(failure == nil)
            #expect(summary?.contentSize == (1 << 30) + 2)
            #expect(peakMemory() - before < 100 << 20)
        }
    }

    /// In a process of its own: each claim could make a run allocate what it says.
    @Test func `claims cost no memory`() async {
        await #expect(processExitsWith: .success) {
            let before = peakMemory()
            let sizes: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
            for input in [
                repeatedFrame(blocks: 1, contentSize: 1 << 32), repeatedFrame(blocks: 1, contentSize: 1 << 62),
                [0x28, 0xB5, 0x2F, 0xFD, 0, 22 << 3], [0x5E, 0x2A, 0x4D, 0x18] + sizes,
                try frame([1]) + [0x5E, 0x2A, 0x4D, 0x18] + sizes, [0x28, 0xB5, 0x2F, 0xFD, 0, 17 << 3, 3, 0, 0],
            ] {
                _ = try Job.decompress(threads: 1).outcome(of: input)
            }
            #expect(peakMemory() - before < 50 << 20)
        }
    }
}

/// The most memory that this process has had, in bytes.
func peakMemory() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss << 10
}
