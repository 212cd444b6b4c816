import Sluice
import SluiceEngine
import TestSupport
import Testing
import ZstdCodec

/// A match beyond the window, which the format forbids, finds what it finds in libzstd that gets all blocks as a whole:
/// however the frame comes, and on however many cores.
@Suite(.timeLimit(.minutes(4)))
struct FarMatchTests {
    /// What one frame was decoded to.
    private enum Verdict: Equatable {
        case content
        case other(String)
    }

    private static func verdict(
        _ frame: [UInt8], _ wanted: [UInt8]?, cutAt cuts: [Int], workers: Int, pauses: Bool
    ) throws -> Verdict {
        let decoded = try StagedFrameTests.decode(frame, cutAt: cuts, workers: workers, pauses: pauses)
        if let failure = decoded.failure { return .other("\(failure)") }
        guard let wanted else { return .other("accepted") }
        return decoded.content.isSame(as: wanted) ? .content : .other("\(decoded.content.count) wrong bytes")
    }

    /// The cuts of several arrivals, and whether the decoder is told of each pause.
    private static func arrivals(_ frame: FarMatchFrame, seed: UInt64) -> [(cuts: [Int], pauses: Bool)] {
        let count = frame.bytes.count
        var numbers = SeededNumbers(seed: seed)
        func parts(_ size: Int) -> [Int] { Array(stride(from: size, to: count, by: size)) }
        let some = (0..<20).map { _ in Int.random(in: 0...count, using: &numbers) }.sorted()
        var arrivals = [([], false), (parts(999), true), (parts(70_000), false), (some, true)]
        // Each block on its own ends a batch each time; without its last byte, none ends where the part does.
        arrivals += [(frame.blockStarts, true), (frame.blockStarts.map { $0 - 1 }, true)]
        if count < 60_000 { arrivals.append((Array(1..<count), seed % 2 == 0)) }
        return arrivals
    }

    private static func examine(_ descriptor: UInt8, laps: Int, rawBlocks: Int, seed: UInt64) throws -> (
        isAccepted: Bool, different: [String]
    ) {
        let made = FarMatchFrame(descriptor: descriptor, laps: laps, rawBlocks: rawBlocks, seed: seed)
        var frame = made.bytes
        let wanted = decodedByLibrary(frame)
        if let wanted { try StagedFrameTests.setChecksum(of: &frame, wanted) }
        let first = try verdict(frame, wanted, cutAt: [], workers: 1, pauses: false)
        var different: [String] = []
        if wanted != nil, first != .content { different.append("alone: \(first)") }
        if wanted == nil, first == .other("accepted") { different.append("alone") }
        for (index, (cuts, pauses)) in arrivals(made, seed: seed).enumerated() {
            for workers in [1, (index + Int(seed)) % 2 == 0 ? 2 : 4] {
                let next = try verdict(frame, wanted, cutAt: cuts, workers: workers, pauses: pauses)
                if next != first {
                    different.append("seed \(seed), arrival \(index), \(workers) workers: \(next), not \(first)")
                }
            }
        }
        return (wanted != nil, different)
    }

    @Test(arguments: [UInt8(0), 3, 0x21, 0x38, 0x3A], 0..<4)
    func `it finds the same however the frame comes`(descriptor: UInt8, turn: Int) async throws {
        let isSmall = descriptor < 0x30
        let (accepted, different) = try await within {
            var (accepted, different) = (0, [String]())
            for round in 0..<(isLong ? 40 : isSmall ? 2 : 1) {
                let seed = UInt64(turn + 5 * round)
                let outcome = try Self.examine(descriptor, laps: 3, rawBlocks: turn, seed: seed)
                accepted += outcome.isAccepted ? 1 : 0
                different += outcome.different
            }
            return (accepted, different)
        }
        #expect(different == [])
        // Of some, libzstd refuses a match.
        #expect(accepted > 0 || turn == 3)
    }

    /// Among these are frames in which a match finds literals of the block before libzstd takes over.
    @Test func `it finds what libzstd has overwritten, wherever that takes over`() async throws {
        let different = try await within {
            try stride(from: 0, to: 40, by: 2).filter { seed in
                let made = FarMatchFrame(descriptor: 0x38, laps: 3, rawBlocks: seed % 5, seed: UInt64(seed))
                var frame = made.bytes
                guard let wanted = decodedByLibrary(frame) else { return false }
                try StagedFrameTests.setChecksum(of: &frame, wanted)
                return try Self.verdict(frame, wanted, cutAt: [], workers: 2, pauses: false) != .content
            }
        }
        #expect(different == [])
    }

    /// A small frame, cut in two at each of its bytes.
    @Test(arguments: [1, 2, 4]) func `it finds the same wherever the frame is cut`(workers: Int) async throws {
        let different = try await within {
            let made = FarMatchFrame(descriptor: 0, laps: 3, rawBlocks: 1, seed: 21)
            var frame = made.bytes
            guard let wanted = decodedByLibrary(frame) else { return [0] }
            try StagedFrameTests.setChecksum(of: &frame, wanted)
            return try stride(from: 1, to: frame.count, by: isLong ? 1 : frame.count / 100).filter { cut in
                try Self.verdict(frame, wanted, cutAt: [cut], workers: workers, pauses: cut % 2 == 0) != .content
            }
        }
        #expect(different == [])
    }
}
