import Dispatch
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import Sluice

/// What has arrived, and what it was made from, are told together.
@Suite(.timeLimit(.minutes(1)))
struct DeliveriesTests {
    @Test func `a frame has arrived when its last byte is written`() {
        let (first, second) = (Delivery(source: 100, made: 100_000), Delivery(source: 200, made: 200_000))
        var deliveries = Deliveries()
        deliveries.append(first, count: 100_012)
        deliveries.append(second, count: 200_000)
        #expect(deliveries.take(written: 100_011, isIdle: false) == Delivery())
        #expect(deliveries.take(written: 300_011, isIdle: false) == first)
        #expect(deliveries.take(written: 300_012, isIdle: false) == second)
    }

    @Test func `many small frames take little memory, and none is lost`() {
        var deliveries = Deliveries()
        for _ in 0..<1 << 20 { deliveries.append(Delivery(source: 65_536, made: 13), count: 13) }
        #expect(deliveries.count <= 13 << 20 / Int(Deliveries.leastBytes) + 2)
        var sum = deliveries.take(written: 7 << 20, isIdle: false)
        #expect(((7 << 20) - Deliveries.leastBytes...7 << 20).contains(sum.madeBytes))
        sum += deliveries.take(written: 13 << 20, isIdle: false)
        #expect(sum == Delivery(source: 65_536 << 20, made: 13 << 20))
    }

    @Test func `what is only gathered has arrived, and what comes after a failure has not`() {
        var deliveries = Deliveries()
        deliveries.append(Delivery(source: 100, made: 10), count: 10)
        #expect(deliveries.take(written: 0, isIdle: true) == Delivery(source: 100, made: 10))
        deliveries.append(Delivery(source: 200, made: 20), count: 20)
        deliveries.didFail()
        deliveries.append(Delivery(source: 300, made: 30), count: 30)
        #expect(deliveries.take(written: 60, isIdle: true) == Delivery())
    }

    @Test func `a run whose reader is slow tells what its reader has, and not what waits for it`() async throws {
        let content = sample(4 << 20)
        let compressed = try Job.compress().output(of: content)
        try await within {
            let (source, pipe, monitor) = (try Pipe(), try Pipe(), Monitor([]))
            defer { for end in [source, pipe] { end.close() } }
            source.feed(compressed)
            let run = DispatchWorkItem {
                _ = try? Job(.decompress(), threads: 2, monitor: monitor)
                    .run(from: Source(source.reading), to: Sink(pipe.writing))
                pipe.closeWriting()
            }
            DispatchQueue(label: "test.run").async(execute: run)
            // Nothing is worked on, and the pipe is full.
            let isStuck = { monitor.deliveries.isWriting && monitor.busyWorkers == 0 && monitor.slots.inUse > 1 }
            #expect(eventually(20) { isStuck() })
            let delivered = monitor.deliveries.sum
            // Its frames have 64 KiB each, and compress to about a half.
            #expect(delivered.madeBytes <= 3 << 20 && delivered.madeBytes % (1 << 16) == 0)
            #expect((1.5...2.5).contains((Double(delivered.madeBytes) + 1) / (Double(delivered.sourceBytes) + 0.5)))
            #expect(pipe.collect().whole.count == content.count)
            run.wait()
            #expect(monitor.deliveries.sum.madeBytes == UInt64(content.count))
            #expect(!monitor.deliveries.isWriting)
        }
    }
}
