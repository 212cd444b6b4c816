import Dispatch
import Foundation
import StreamTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import ByteStreams
@testable import Sluice
@testable import SluiceEngine

/// Whatever waits can be cancelled.
@Suite(.timeLimit(.minutes(4)))
struct WaitTests {
    /// A wait for what may never come: input, time, memory or room.
    enum Wait: CaseIterable {
        case slot, segmentSlot, chain, chunkBefore, slidingMemory, chunk, frame, pipe, rate, sink, channel, task,
            fileWatch
        case followedFile

        /// Waits until the latch fails.
        ///
        /// - Parameter begin: called just before.
        func run(_ latch: FailureLatch, _ begin: () -> Void) throws {
            switch self {
            case .slot:
                let slots = Slots(0)
                latch.onFailure { slots.cancel() }
                begin()
                #expect(!slots.take())
            case .segmentSlot:
                let slots = Slots(0)
                latch.onFailure { slots.cancel() }
                begin()
                #expect(throws: Failure.cancelled) { try SegmentQueue(slots).push(Bytes([1])) }
            case .chain, .chunkBefore:
                let slots = Slots(2)
                let chain = ChunkChain(slots)
                latch.onFailure { chain.cancel() }
                let links = (0..<2).map { _ in chain.add(Bytes([1]), Lease { slots.give() }) }
                begin()
                if self == .chain { chain.waitForEnds() } else { #expect(links[1].takeOver() == nil) }
            case .slidingMemory:
                let memory = try #require(SlidingMemory(window: 1, regions: 1))
                latch.onFailure { memory.cancel() }
                _ = try memory.take(at: 0, count: Int(memory.capacity))
                begin()
                #expect(throws: Failure.cancelled) { _ = try memory.take(at: memory.capacity, count: 1) }
            case .chunk:
                let chunks = WorkQueue<Int>()
                latch.onFailure { chunks.close(dropping: true) }
                begin()
                #expect(chunks.pop() == nil)
            case .frame:
                let order = OrderQueue(FrameOrder())
                latch.onFailure { order.change { $0.fail(.cancelled) } }
                begin()
                #expect(order.wait(isDry: true))
                #expect(throws: Failure.cancelled) { try order.next() }
            case .pipe, .sink, .channel: try runOnPipe(latch, begin)
            case .rate:
                let limited = RateLimitedSource(ScriptedSource([1], piece: 1), RateLimit(bytesPerSecond: 1))
                latch.onFailure { limited.cancel() }
                while limited.allow(1, until: .now() + 0.001) != nil {}
                begin()
                #expect(limited.allow(1) == nil)
            case .task:
                let source = BufferSource()
                latch.onFailure { source.cancel() }
                begin()
                #expect(source.read(1, until: nil)?.isEmpty == true)
            case .fileWatch:
                let watch = try FileWatch("/nothing")
                latch.onFailure { watch.cancel() }
                begin()
                #expect(try !watch.wait(until: .distantFuture))
            case .followedFile:
                let folder = try Scratch()
                let name = folder.path.appending("log")
                let file = try FollowedFile(FollowedName(name)) { () throws(Failure) in try FileWatch(name) }
                let reader = try InputReader(file.input(), latch: latch, monitor: nil)
                begin()
                #expect(throws: Failure.cancelled) { try reader.read(1) }
            }
        }

        private func runOnPipe(_ latch: FailureLatch, _ begin: () -> Void) throws {
            let pipe = try StreamTestSupport.Pipe()
            defer { pipe.close() }
            if self == .pipe {
                let reader = try InputReader(Source(pipe.reading), latch: latch, monitor: nil)
                defer { reader.close() }
                begin()
                #expect(throws: Failure.cancelled) { try reader.read(1) }
            } else {
                let sink = try Sink(pipe.writing)
                let stream: any ByteSink = self == .sink ? try DescriptorSink(sink) : sink.open(hasBlocks: false)
                latch.onFailure { stream.cancel() }
                begin()
                #expect(throws: Failure.writing(.canceled)) {
                    for _ in 0..<2 { try stream.write(Piece(Bytes([UInt8](repeating: 0, count: 2 << 20)))) }
                }
                // Until then the kernel has the write of a channel.
                pipe.closeReading()
                stream.finish()
            }
        }
    }

    @Test(arguments: Wait.allCases)
    func `a failure of the run ends the wait`(wait: Wait) async throws {
        try await within {
            let latch = FailureLatch()
            try wait.run(latch) {
                DispatchQueue(label: "test.failure").asyncAfter(deadline: .now() + 0.02) { latch.fail(.cancelled) }
            }
        }
    }

    @Test func `the memory that frees frames does not wait for the disk of a run`() async throws {
        let isFree = try await within {
            let (disk, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let sink = Sink(StuckSink(disk))
            let order = FrameOrder(holdBack: HoldBack(until: 2))
            let writer = FrameWriter(sink, order: order, latch: FailureLatch(), monitor: nil)
            try writer.start()
            let tell = { @Sendable (change: Int) in writer.order.change { $0.slotsDidChange(by: change) } }
            let slots = Slots(2, didChange: tell)
            #expect(slots.take())
            writer.accept(.success(ChunkResult(bytes: Bytes([1]), sourceSize: 1, lease: Lease { slots.give() })), at: 0)
            OutputBuffer.afterReleases { tell(1) }
            OutputBuffer.afterReleases { release.signal() }
            let isFree = release.wait(timeout: .now() + 5) == .success
            disk.signal()
            try writer.finish(1)
            writer.close()
            return isFree
        }
        #expect(isFree)
    }

    /// A sink whose first write takes until a semaphore is signalled.
    private struct StuckSink: ByteSink {
        let disk: DispatchSemaphore

        init(_ disk: DispatchSemaphore) { self.disk = disk }

        func write(_ piece: consuming Piece) throws(Failure) { disk.wait() }
        func cancel() { disk.signal() }
    }

    /// How many calls that wait each file has, and what ends them.
    private static let waits: [String: (count: Int, end: String)] = [
        // For input, time, memory or room, which may never come: tried above.
        "Alarm.swift": (1, "cancel"),
        "FileWatch.swift": (1, "cancel; a second"),
        "BufferSource.swift": (1, "endWaiting"),
        "ChunkChain.swift": (1, "cancel"),
        "SlidingMemory.swift": (1, "cancel"),
        "Slots.swift": (2, "cancel"),
        "WakePipe.swift": (1, "wake"),
        "WorkQueue.swift": (1, "close"),
        "OrderQueue.swift": (1, "a failure of the order"),
        "Writer.swift": (1, "the same"),
        // On top of these.
        "ChannelSource.swift": (4, "its cancel, after which the handlers of a channel run"),
        "DescriptorSink.swift": (1, "its cancel"),
        "FollowedFile.swift": (1, "its endWaiting"),
        "DescriptorSource.swift": (1, "its endWaiting"),
        "DecodedSource.swift": (2, "its cancel, which ends the run that decodes; that run"),
        "ReadAheadSource.swift": (1, "the read of the piece, which its origin's cancel ends"),
        "RequestLimits.swift": (1, "the client's cancel"),
        "SpareThreads.swift": (1, "threads that were started to see whether they can be, and end at once"),
        "RangeStream.swift": (1, "its endWaiting"),
        "RemoteBody.swift": (2, "its endWaiting"),
        "ObjectUpload.swift": (
            2, "its cancel, for parts; the end of its requests, which that ends; two seconds at most to end the upload"
        ),
        "ObjectUpload+Ending.swift": (
            6, "its cancel, for parts; the end of its requests, which that ends; two seconds at most to end the upload"
        ),
        "RemoteClient.swift": (1, "its cancel; two minutes at most"),
        "Readiness.swift": (2, "its cancel; a pause of 120 microseconds"),
        "DispatchSink.swift": (2, "its cancel, which also tries a full disk again; the kernel, for the last write"),
        // For threads of the run, which end as above.
        "FrameWriter.swift": (3, "the latch: the order fails, the stream is cancelled, and what it has is dropped"),
        "InputCommand.swift": (4, "the end of the command, which cancel asks for, and two seconds later forces; 1 ms"),
        "Pipeline.swift": (1, "the latch: slots are cancelled and the queue is closed"),
        "Threads.swift": (1, "the bodies"),
        "CancellableThread.swift": (1, "the Task's cancellation, a quarter of a second later"),
        "AsyncSemaphore.swift": (1, "the Task's cancellation"),
        // For computing, or one call of the system.
        "CKernel.c": (1, "its thread's first call"),
        "HashFunction.swift": (2, "the hash of what is there"),
        "FrameDecoder.swift": (1, "the checksum of what is there"),
        "SegmentOutput.swift": (1, "the checksum of what is there, and its place in the order"),
        "Writeback.swift": (1, "one call of sync_file_range"),
        "SmallFileBatch.swift": (1, "giving small files their names"),
        "ProtectedFiles.swift": (1, "giving one file its name"),
        "ProgressDisplay.swift": (1, "a line on the terminal, which the grace after a signal does not wait for"),
        "Trace.swift": (1, "the end of the trace, which the grace after a signal does not wait for"),
        "InputCommand.c": (2, "a signal of the process, or the end of the supervisor, a few seconds later at most"),
        "WorkerPool.swift": (1, "a failure of the run, or the end of a worker that a cancelled run has left"),
        "FileDescriptor+Calls.swift": (
            4, "small writes only: the signal's own end; twice 0 ms; 20 ms, for a second at most"
        ),
        "KeyRing.swift": (3, "one call: the end of the thread's way that asks for a key, or that of the run"),
        // With a deadline.
        "Program.c": (
            9,
            "steps up to the command's deadline, and for a quarter of a second at most; three times 0 ms; 5 ms and 1 ms, "
                + "for 3.5 s at most"
        ),
        "TemporaryFiles.swift": (1, "a millisecond, until files are made; a deadline"),
        "SourceFile.swift": (1, "10 ms, for a second at most"),
        "CStart.c": (1, "10 ms"),
        "Signals.swift": (1, "the grace"),
        "Source.swift": (1, "0 ms"),
    ]

    @Test func `each call that waits is listed with what ends it`() throws {
        let sources = FilePath(#filePath).removingLastComponent().appending("../../../Sources").lexicallyNormalized()
        let call = /\.wait\(|\b(poll|pthread_join|waitpid|usleep|nanosleep)\(|queue\.sync \{|F_SETLKW|LOCK_EX\)/
        var found: [String: Int] = [:]
        let files = try #require(FileManager.default.enumerator(atPath: sources.string))
        for case let name as String in files where name.hasSuffix(".swift") || name.hasSuffix(".c") {
            let text = try String(contentsOfFile: sources.appending(name).string, encoding: .utf8)
            let lines = text.split(separator: "\n").filter { !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }
            let count = lines.count { $0.contains(call) }
            if count > 0 { found[FilePath(name).lastComponent?.string ?? name, default: 0] += count }
        }
        #expect(found == Self.waits.mapValues(\.count))
    }
}
