import TestSupport
import Testing

@testable import ZstdCodec

struct FrameWalkTests {
    private struct Outcome: Equatable {
        var frames: [FrameScanner.Frame] = []
        var flaw: CodecFailure?
        var end: UInt64 = 0
    }

    /// What a scanner finds that gets one byte after another.
    private static func scanned(_ input: [UInt8], _ ignoresZeros: Bool) -> Outcome {
        var (outcome, scanner) = (Outcome(), FrameScanner(ignoresZeros: ignoresZeros))
        do throws(CodecFailure) {
            for byte in input {
                let piece = [byte]
                let ended = try scanner.scan(piece.span.bytes).ended
                if let ended { outcome.frames.append(ended) }
            }
            try scanner.finish()
        } catch { outcome.flaw = error }
        outcome.end = scanner.zerosOffset ?? scanner.offset
        return outcome
    }

    private static func walked(_ input: [UInt8], _ ignoresZeros: Bool) -> Outcome {
        input.withUnsafeBytes { input in
            var (outcome, walk) = (Outcome(), FrameWalk(over: FramesInMemory(input), ignoresZeros: ignoresZeros))
            while let begun = walk.begun(), let step = walk.next() {
                #expect(begun.offset == step.frame.offset)
                if step.flaw == nil { outcome.frames.append(step.frame) } else { outcome.flaw = step.flaw }
            }
            #expect(walk.begun() == nil)
            outcome.end = walk.end
            return outcome
        }
    }

    @Test(arguments: [false, true])
    func `the walk finds what a scanner does that gets one byte after another, wherever the input is cut`(
        ignoresZeros: Bool
    ) {
        let input = FrameScannerTests.input + [0, 0, 0, 0, 0]
        for count in 0...input.count {
            let cut = Array(input[..<count])
            let (walked, scanned) = (Self.walked(cut, ignoresZeros), Self.scanned(cut, ignoresZeros))
            #expect(walked.frames == scanned.frames, "\(count)")
            #expect(walked.flaw == scanned.flaw, "\(count)")
            if scanned.flaw == nil { #expect(walked.end == scanned.end, "\(count)") }
        }
    }

    @Test func `and whichever byte is another`() {
        for index in FrameScannerTests.input.indices {
            for bit in 0..<8 {
                var input = FrameScannerTests.input
                input[index] ^= 1 << UInt8(bit)
                let (walked, scanned) = (Self.walked(input, false), Self.scanned(input, false))
                #expect(
                    walked.frames == scanned.frames && walked.flaw?.offset == scanned.flaw?.offset, "\(index).\(bit)")
            }
        }
    }

    /// A stream with a header and a table, in which anything may be changed, copied or missing.
    @Test(arguments: 1...6)
    func `the strict walk has the verdict of a scanner that gets one byte after another`(seed: UInt64) throws {
        let parts = try StreamEndCheckTests.stream(StreamEndCheckTests.three)
        var (numbers, limits) = (SeededNumbers(seed: seed), DecodingLimits(windowSize: 1 << 20))
        limits.verifiesChecksums = Bool.random(using: &numbers)
        for round in 0..<200 {
            var parts = parts + (round % 3 == 0 ? parts : [])
            let place = Int.random(in: parts.indices, using: &numbers)
            switch round % 4 {
            case 0: parts.remove(at: place)
            case 1: parts.insert(parts[place], at: Int.random(in: parts.indices, using: &numbers))
            case 2: parts[place][Int.random(in: parts[place].indices, using: &numbers)] ^= 1 << UInt8(round % 8)
            default: parts.append([UInt8](repeating: 0, count: round % 40))
            }
            let (input, ignoresZeros) = (parts.flatMap(\.self), Bool.random(using: &numbers))
            var scanner = CheckedScanner(limits: limits, ignoresZeros: ignoresZeros)
            var flaw: CodecFailure?
            do throws(CodecFailure) {
                for byte in input {
                    let piece = [byte]
                    _ = try scanner.scan(piece.span.bytes)
                }
                try scanner.finish()
            } catch { flaw = error }
            input.withUnsafeBytes { input in
                var walk = StrictWalk(over: FramesInMemory(input), limits: limits, ignoresZeros: ignoresZeros)
                while walk.next() != nil {}
                #expect((walk.failure == nil) == (flaw == nil), "round \(round)")
            }
        }
    }

    /// As a disk leaves it that lost the rest of its last block.
    @Test(arguments: 4..<24, [0, 1, 500])
    func `a stream header that is cut, with zeros in place of the rest, is no frame of somebody else`(
        count: Int, zeros: Int
    ) throws {
        let header = StreamHeader(frameSize: 100, level: 1).encoded
        let rest = [UInt8](repeating: 0, count: 24 - count + zeros)
        let input = try frame(StreamEndCheckTests.three[0]) + header[..<count] + rest
        // From its version on, it is a header, which announces a table.
        #expect(Self.walked(input, true).flaw != nil || count > 14)
    }
}
