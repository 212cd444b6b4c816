import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Runs whose level is chosen as they go on.
@Suite(.timeLimit(.minutes(4)))
struct AdaptationTests {
    private static func options(_ bounds: ClosedRange<Int>) -> CompressionOptions {
        var options = CompressionOptions(level: 3, frameSize: 1 << 16)
        options.adaptiveLevels = bounds
        return options
    }

    @Test(arguments: [1...19, -7...2, 5...5], [true, false])
    func `what was compressed at many levels comes back, and they are told`(
        bounds: ClosedRange<Int>, isSingleFrame: Bool
    ) async throws {
        let content = sample(1 << 20)
        let monitor = Monitor([])
        let returned = try await within {
            let options = Self.options(bounds)
            let job = Job(
                isSingleFrame ? SingleFrame(options) : Compression(options), threads: 2,
                monitor: monitor)
            return try Job.decompress().output(of: job.output(of: content))
        }
        #expect(returned.isSame(as: content))
        let use = try #require(monitor.levelUse)
        #expect(bounds.contains(use.lowest) && bounds.contains(use.highest))
        #expect(Double(use.lowest) <= use.mean && use.mean <= Double(use.highest))
    }

    @Test func `what has one level tells of none`() async throws {
        let monitor = Monitor([])
        _ = try await within {
            try Job(Compression(level: 1), threads: 2, monitor: monitor).output(of: sample(1 << 20))
        }
        #expect(monitor.levelUse == nil)
    }

    /// Half a second of waiting for the input, with nothing for the workers to do.
    @Test func `whoever asks gets another level when the input keeps everybody waiting`() {
        let adaptation = Adaptation(3, in: 1...19, workers: 2, monitor: nil)
        adaptation.inputDidChange(isWaiting: true)
        let first = adaptation.begin()
        #expect(first.level == 3)
        adaptation.end(first, bytes: 1)
        pause(0.5)
        let (second, third) = (adaptation.begin(), adaptation.begin())
        #expect(second.level > 3 && third.level == second.level)
    }

    @Test func `nothing is decided while something of another level goes on`() {
        let adaptation = Adaptation(3, in: 1...19, workers: 100, monitor: nil)
        adaptation.inputDidChange(isWaiting: true)
        let old = adaptation.begin()
        pause(0.3)
        let new = adaptation.begin()
        #expect(old.level == 3 && new.level > 3)
        pause(0.3)
        #expect(adaptation.begin().level == new.level)
        adaptation.end(old, bytes: 1)
        pause(0.3)
        #expect(adaptation.begin().level > new.level)
    }
}
