import Testing

@testable import Sluice

@Suite struct VerdictTests {
    private func verdict(
        elapsed: Double = 10, workers: Int = 2, chunks: UInt64 = 100, work: Double = 2, ownRead: Double = 0,
        read: Double = 1, slot: Double = 1, write: Double = 1, sync: Double = 0, hasRateLimit: Bool = false,
        operation: Statistics.Operation = .compress
    ) -> Verdict {
        Verdict(
            elapsed: elapsed, workers: workers, chunks: chunks, work: work, ownRead: ownRead, read: read, slot: slot,
            write: write, sync: sync, hasRateLimit: hasRateLimit, operation: operation)
    }

    @Test func `busy workers limit a run`() {
        let verdict = verdict(work: 19.4)
        #expect(verdict.cause == .work)
        #expect(verdict.sentence == "limited by compression: both workers were busy 97 % of the time")
        #expect(
            self.verdict(workers: 1, work: 9, operation: .test).sentence.hasPrefix(
                "limited by decompression: the worker was"))
    }

    @Test func `a slow input limits a run, unless it was asked to be slow`() {
        #expect(verdict(read: 9).cause == .input)
        #expect(verdict(read: 9, hasRateLimit: true).cause == .rate)
        let decompression = verdict(read: 9, hasRateLimit: true, operation: .decompress)
        #expect(decompression.sentence.hasPrefix("limited by --limit-rate, which counts compressed bytes: "))
    }

    @Test func `workers are as busy as the sentence says, with what they read for themselves`() {
        let verdict = verdict(elapsed: 12, work: 12, ownRead: 6, read: 0, sync: 2)
        #expect(verdict.utilisation == 0.9)
        #expect(verdict.sentence == "limited by compression: both workers were busy 90 % of the time")
    }

    @Test
    func `workers that copy from the page cache are busy, those that read more than they work wait for the input`() {
        #expect(verdict(work: 13, ownRead: 5, read: 0, slot: 9).cause == .work)
        let reading = verdict(work: 5, ownRead: 13, read: 0, slot: 9)
        #expect(reading.cause == .input)
        #expect(reading.sentence == "limited by the input: workers read for 65 % of the time")
        // Workers of small files read and write for themselves.
        #expect(verdict(work: 4, ownRead: 9, read: 0, slot: 0, write: 7).cause == .input)
        #expect(verdict(work: 4, ownRead: 7, read: 0, slot: 0, write: 9).cause == .output)
    }

    @Test func `a slow output limits a run`() {
        #expect(verdict(slot: 8, write: 9.5).cause == .output)
        #expect(verdict(slot: 8, write: 9.5).sentence == "limited by the output: writing took 95 % of the time")
    }

    @Test func `flushing for more than half of the time limits a run`() {
        #expect(verdict(sync: 6).cause == .sync)
    }

    @Test func `a few chunks give workers little to share`() {
        #expect(verdict(chunks: 1).sentence.hasPrefix("limited by its size: 1 chunk of data"))
    }

    @Test(arguments: [0, 1e-12, 1e300, .infinity, .nan] as [Double], [0, 1, 1 << 20])
    func `extreme numbers give a sentence, too`(_ number: Double, _ workers: Int) {
        let verdict = verdict(
            elapsed: number, workers: workers, chunks: 0, work: number, read: number, slot: number,
            write: number, sync: 0)
        #expect(verdict.sentence.hasPrefix("limited by "))
        #expect((0...1).contains(verdict.utilisation))
    }
}
