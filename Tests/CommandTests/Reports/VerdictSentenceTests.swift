import Testing

@testable import SluiceCommand
@testable import SluiceEngine

@Suite struct VerdictSentenceTests {
    private func sentence(
        workers: Int = 2, chunks: UInt64 = 100, work: Double = 2, ownRead: Double = 0, read: Double = 1,
        slot: Double = 1, write: Double = 1, sync: Double = 0, processor: Double? = nil, hasRateLimit: Bool = false,
        _ activity: Activity = .compress
    ) -> String {
        let times = Verdict.Times(
            elapsed: 10, workers: workers, chunks: chunks, work: work, ownRead: ownRead, read: read, slot: slot,
            write: write, sync: sync, processor: processor, processors: 2)
        return Verdict(times, hasRateLimit: hasRateLimit, content: activity.content).sentence(of: activity)
    }

    @Test func `each cause has its words`() {
        #expect(sentence(work: 19.4) == "limited by compression: both workers were busy 97 % of the time")
        #expect(
            sentence(workers: 1, work: 9, .test) == "limited by decompression: the worker was busy 90 % of the time")
        #expect(sentence(workers: 4, work: 36) == "limited by compression: all 4 workers were busy 90 % of the time")
        #expect(
            sentence(work: 19.4, processor: 4) == "limited by the CPUs: other processes had them 79 % of the time")
        #expect(sentence(read: 9) == "limited by the input: workers waited 90 % of the time")
        #expect(
            sentence(work: 5, ownRead: 13, read: 0, slot: 9)
                == "limited by the input: workers read for 65 % of the time")
        #expect(sentence(slot: 8, write: 9.5) == "limited by the output: writing took 95 % of the time")
        #expect(sentence(sync: 6) == "limited by the disk: flushing the output took 60 % of the time")
        #expect(sentence(chunks: 1) == "limited by its size: 1 chunk of data gave the workers little to share")
        #expect(sentence(chunks: 7) == "limited by its size: 7 chunks of data gave the workers little to share")
        #expect(sentence(chunks: 0) == "limited by its size: there was no data to work on")
    }

    @Test func `the rate limit is called as on the command line, with the side that it counts`() {
        #expect(sentence(read: 9, hasRateLimit: true) == "limited by --limit-rate: workers waited 90 % of the time")
        #expect(
            sentence(read: 9, hasRateLimit: true, .decompress)
                == "limited by --limit-rate, which counts compressed bytes: workers waited 90 % of the time")
    }
}
