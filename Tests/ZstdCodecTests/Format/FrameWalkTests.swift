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
}
