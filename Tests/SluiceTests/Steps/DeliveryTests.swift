import Dispatch
import StreamTestSupport
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// What a run tells of what has arrived, and what it hashes on the way.
@Suite(.timeLimit(.minutes(4)))
struct DeliveryTests {
    @Test func `a run whose reader is slow tells what its reader has, and not what waits for it`() async throws {
        let content = sample(4 << 20)
        let compressed = try Job.compress().output(of: content)
        try await within {
            let (source, pipe, monitor) = (try Pipe(), try Pipe(), Monitor([]))
            defer { for end in [source, pipe] { end.close() } }
            source.feed(compressed)
            let run = DispatchWorkItem {
                _ = try? Job(Decompression(), threads: 2, monitor: monitor)
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

    @Test func `memory that is hashed and written goes when both are done`() async throws {
        let (hash, freed, later) = try await within {
            let (freed, sink) = (Count(), ScriptedSink(isSlow: true))
            let content = ContentHash(try HashFunction("sha256").begin())
            let writer = FrameWriter(Sink(sink), latch: FailureLatch(), monitor: nil)
            writer.show(to: content)
            try writer.start()
            writer.accept(
                .success(ChunkResult(bytes: Bytes([1, 2, 3]), sourceSize: 1, lease: Lease { freed.add(1) })), at: 0)
            #expect(eventually { sink.isWaiting })
            let (hash, before) = (try content.finish(), freed.value)
            sink.proceed()
            try writer.finish(1)
            writer.close()
            return (hash, before, freed.value)
        }
        #expect(hash.hasPrefix("039058c6f2c0cb49"))
        #expect(freed == 0 && later == 1)
    }
}
