import Testing

@testable import SluiceEngine

@Suite struct VerdictTests {
    private func verdict(
        elapsed: Double = 10, workers: Int = 2, chunks: UInt64 = 100, work: Double = 2, ownRead: Double = 0,
        read: Double = 1, slot: Double = 1, write: Double = 1, sync: Double = 0, name: Double = 0, frame: Double = 0,
        processor: Double? = nil, processors: Double = 2, hasRateLimit: Bool = false,
        activity: Activity = .compress
    ) -> Verdict {
        let times = Verdict.Times(
            elapsed: elapsed, workers: workers, chunks: chunks, work: work, ownRead: ownRead, read: read, slot: slot,
            write: write, sync: sync, name: name, frame: frame, processor: processor, processors: processors)
        return Verdict(times, hasRateLimit: hasRateLimit, content: activity.content)
    }

    @Test func `busy workers limit a run`() {
        let verdict = verdict(work: 19.4)
        #expect(verdict.cause == .work(workers: 2))
        #expect(verdict.utilisation == 0.97)
    }

    @Test func `workers that other processes keep from the CPUs do not limit a run`() {
        #expect(verdict(work: 20, processor: 4).cause == .processors(share: 0.8))
        #expect(verdict(work: 20, processor: 4).cause.name == "processors")
        #expect(verdict(work: 20, processor: 15).cause == .work(workers: 2))
        #expect(verdict(work: 20, processor: 25).cause == .work(workers: 2))
        // More workers than CPUs, or than a quota allows, keep each other from them.
        #expect(verdict(workers: 8, work: 80, processor: 19).cause == .work(workers: 8))
        #expect(verdict(work: 20, processor: 11, processors: 1.1).cause == .work(workers: 2))
        #expect(verdict(work: 20, processor: 5, processors: 1).cause == .processors(share: 0.5))
        // The worker of a large frame waits for those that help it.
        #expect(verdict(work: 15, frame: 9, processor: 5).cause == .work(workers: 2))
        // Workers that had nothing to do were not kept from doing it.
        #expect(verdict(work: 2, read: 9, processor: 0.1).cause.name == "input")
    }

    @Test func `a slow input limits a run, unless it was asked to be slow`() {
        #expect(verdict(read: 9).cause == .input(share: 0.9))
        #expect(verdict(read: 9, hasRateLimit: true).cause == .rate(share: 0.9))
    }

    @Test func `workers are as busy with what they read for themselves, and flushing does not count`() {
        #expect(verdict(elapsed: 12, work: 12, ownRead: 6, read: 0, sync: 2).utilisation == 0.9)
    }

    @Test
    func `workers that copy from the page cache are busy, those that read more than they work wait for the input`() {
        #expect(verdict(work: 13, ownRead: 5, read: 0, slot: 9).cause == .work(workers: 2))
        #expect(verdict(work: 5, ownRead: 13, read: 0, slot: 9).cause == .reading(share: 0.65))
        // Workers of small files read and write for themselves.
        #expect(verdict(work: 4, ownRead: 9, read: 0, slot: 0, write: 7).cause.name == "input")
        #expect(verdict(work: 4, ownRead: 7, read: 0, slot: 0, write: 9).cause.name == "output")
    }

    @Test func `a slow output limits a run`() {
        #expect(verdict(slot: 8, write: 9.5).cause == .output(share: 0.95))
    }

    @Test func `one frame on several cores limits a run if the worker that has it is busy`() {
        #expect(verdict(work: 12, read: 3, frame: 9).cause == .work(workers: 2))
        #expect(verdict(work: 8, read: 9, frame: 5).cause.name == "input")
    }

    @Test func `naming for more than half of the time limits a run, and does not count as idle time of workers`() {
        #expect(verdict(work: 1, name: 6).cause == .name(share: 0.6))
        #expect(verdict(elapsed: 12, work: 19, name: 2).cause == .work(workers: 2))
    }

    @Test func `flushing for more than half of the time limits a run`() {
        #expect(verdict(sync: 6).cause == .sync(share: 0.6))
    }

    @Test func `a few chunks give workers little to share`() {
        #expect(verdict(chunks: 1).cause == .size(chunks: 1))
        #expect(verdict(chunks: 0).cause == .nothingToDo)
        #expect(verdict(chunks: 0).cause.name == "size")
    }

    @Test(arguments: [0, 1e-12, 1e300, .infinity, .nan] as [Double], [0, 1, 1 << 20])
    func `extreme numbers give shares that are shares`(_ number: Double, _ workers: Int) {
        let verdict = verdict(
            elapsed: number, workers: workers, work: number, read: number, slot: number, write: number, sync: 0)
        #expect((0...1).contains(verdict.utilisation))
        switch verdict.cause {
        case .sync(let share), .name(let share), .reading(let share), .input(let share), .rate(let share),
            .processors(let share), .output(let share):
            #expect((0...1).contains(share))
        case .work(let count): #expect(count == workers)
        case .nothingToDo, .size: Issue.record("there were chunks enough")
        }
    }
}
