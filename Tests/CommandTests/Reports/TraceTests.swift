import Dispatch
import SluiceEngine
import Synchronization
import Testing

@testable import SluiceCommand

@Suite struct TraceTests {
    /// A page that takes nothing until it is opened.
    private final class StuckPage: Page {
        private let gate = DispatchSemaphore(value: 0)
        private let content = Mutex("")
        private let isComplete = Atomic(false)

        func write(_ text: String) {
            gate.wait()
            gate.signal()
            content.withLock { $0 += text }
        }

        func finish() { isComplete.store(true, ordering: .releasing) }
        func open() { gate.signal() }
        /// What was written, if it is complete.
        var text: String? { isComplete.load(ordering: .acquiring) ? content.withLock { $0 } : nil }
    }

    private func span(_ number: Int) -> StageSpan {
        StageSpan(stage: .read, bytes: number, start: UInt64(number), end: UInt64(number) + 1)
    }

    @Test func `as many batches wait as may, and what comes then is counted until one is written`() {
        var queue = TraceQueue(batchSize: 2, mostBatches: 2)
        #expect((0..<4).map { queue.add(span($0))?.spans.map(\.bytes) } == [nil, [0, 1], nil, [2, 3]])
        // One more batch may fill up.
        #expect((4..<9).allSatisfy { queue.add(span($0)) == nil })
        #expect(queue.dropped == 3)
        queue.didWrite()
        let after = queue.add(span(9))
        #expect(after?.spans.map(\.bytes) == [4, 5])
        #expect(after?.gap == TraceQueue.Gap(start: 6, count: 3))
        #expect(queue.add(span(10)) == nil)
        #expect(queue.add(span(11)) == nil)
        let rest = queue.handOn()
        #expect(rest.spans.map(\.bytes) == [9, 10])
        #expect(rest.gap == TraceQueue.Gap(start: 11, count: 1))
        #expect(queue.dropped == 4)
    }

    @Test func `parts that are sent at the same time have tracks of their own, and others none`() {
        var ends: [UInt64] = []
        let spans = [(0, 10), (5, 11), (10, 15), (11, 20), (2, 21), (15, 30), (21, 40), (20, 41)]
        let tracks = spans.map { start, end in
            Trace.sender(of: StageSpan(stage: .upload, start: UInt64(start), end: UInt64(end)), among: &ends)
        }
        #expect(tracks == [0, 1, 0, 1, 2, 0, 2, 1])
        // As many as are sent at the same time.
        #expect(ends.count == 3)
    }

    @Test func `nothing is dropped while batches are written as they come`() {
        var queue = TraceQueue(batchSize: 3, mostBatches: 1)
        var written: [Int] = []
        for number in 0..<100 {
            guard let batch = queue.add(span(number)) else { continue }
            #expect(batch.gap == nil)
            written += batch.spans.map(\.bytes)
            queue.didWrite()
        }
        written += queue.handOn().spans.map(\.bytes)
        #expect(written == Array(0..<100))
        #expect(queue.dropped == 0)
    }

    @Test(.timeLimit(.minutes(4))) func `a page that takes nothing makes a trace drop events, and say where`() throws {
        let page = StuckPage()
        let trace = Trace(on: page, waiting: TraceQueue(batchSize: 64, mostBatches: 32))
        let count = 10_000
        // It does not wait: the page is opened only afterwards.
        for number in 0..<count { trace.observe(span(number)) }
        // What shows in the gaps between others takes no room.
        for number in 0..<count { trace.observe(StageSpan(stage: .idle, start: UInt64(number), end: UInt64(number))) }
        page.open()
        let dropped = try trace.finish()
        let text = try #require(page.text)
        let events = text.split(separator: "\"ph\":\"X\"").count - 1
        #expect(events + dropped == count)
        // 32 batches wait, one more fills up, and those that were formatted before the page got stuck.
        #expect((33 * 64...count / 2).contains(events))
        #expect(text.contains("\"name\":\"events were dropped\",\"ph\":\"i\""))
        // On a busy machine there may be several gaps.
        let gaps = text.split(separator: "\"args\":{\"events\":").dropFirst()
        #expect(gaps.map { Int($0.prefix(while: \.isNumber)) ?? 0 }.reduce(0, +) == dropped)
        #expect(text.hasPrefix("[\n") && text.hasSuffix("}\n]\n"))
    }
}
