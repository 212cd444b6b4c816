import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import Sluice
@testable import SluiceEngine

/// What programs are told of a run.
@Suite(.timeLimit(.minutes(4)))
struct RunRecordTests {
    static let content = sample(3_000_000)
    static let small = Compression(level: 1, frameSize: 1 << 16)

    @Test func `a record has the numbers of its run`() async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.content, to: "a")
        let packed = scratch.path.appending("a.zst")
        let (record, back) = (RunRecord(), RunRecord())
        #expect(record.statistics == RunStatistics())
        let summary = try await Self.small.run(
            from: .file(path), to: .file(packed), options: RunOptions(record: record))
        let statistics = record.statistics
        #expect(statistics.bytesIn == summary.bytesIn && statistics.bytesOut == summary.bytesOut)
        #expect(statistics.contentBytes == summary.contentSize)
        #expect(statistics.pieces == (Self.content.count + 65535) / 65536)
        #expect((1...availableProcessors()).contains(statistics.workers))
        #expect(statistics.slotsInUse > 0 && statistics.workTime > .zero && statistics.syncTime > .zero)
        #expect(statistics.elapsed * statistics.workers >= statistics.workTime)
        // It is over: nothing changes any more.
        #expect(record.statistics == statistics)
        try await Decompression().run(from: .file(packed), to: .nothing, options: RunOptions(record: back))
        #expect(back.statistics.contentBytes == summary.contentSize && back.statistics.bytesOut == 0)
    }

    @Test func `what is not synced takes no time to be synced`() async throws {
        let (scratch, record) = (try Scratch(), RunRecord())
        let path = try scratch.write(Self.content, to: "a")
        try await Self.small.run(
            from: .file(path), to: .file(scratch.path.appending("a.zst"), isSynced: false),
            options: RunOptions(record: record))
        #expect(record.statistics.syncTime == .zero)
    }

    @Test func `the time of processors is that of the run's own threads`() async throws {
        let options = CompressionOptions(level: 12, frameSize: 1 << 18)
        let (record, content) = (RunRecord(), patchwork(4 << 20))
        _ = try await Buffers(content, size: 1 << 20)
            .compressed(by: Compression(options), options: RunOptions(record: record)).collected()
        let statistics = record.statistics
        #expect(statistics.processorTime > .zero)
        // Who works waits for a processor on a busy machine, and never has more time of one than passes.
        #expect(statistics.processorTime <= statistics.elapsed * (statistics.workers + 1))
        #expect(statistics.bytesIn == content.count)
    }

    @Test func `a rate that was asked for is what held the run back`() async throws {
        let (scratch, record) = (try Scratch(), RunRecord())
        let path = try scratch.write(Self.content, to: "a")
        let options = RunOptions(rateLimit: RateLimit(bytesPerSecond: 4_000_000), record: record)
        try await Self.small.run(from: .file(path), to: .nothing, options: options)
        #expect(record.statistics.limitedBy == .rate)
    }

    @Test func `a run that fails has done what it has done`() async throws {
        let record = RunRecord()
        var bytes = try Job.compress().output(of: Self.content)
        bytes[bytes.count / 2] ^= 1
        let buffers = Buffers(bytes, size: 10_000)
        await #expect(throws: Failure.self) {
            _ = try await buffers.decompressed(options: RunOptions(record: record)).collected()
        }
        #expect(record.statistics.bytesIn > 0)
        #expect(record.statistics.contentBytes < Self.content.count)
    }

    @Test(
        arguments: [
            (.nothingToDo, .size), (.size(chunks: 1), .size), (.sync(share: 1), .sync), (.name(share: 1), .name),
            (.reading(share: 1), .input), (.input(share: 1), .input), (.rate(share: 1), .rate),
            (.work(workers: 1), .work), (.output(share: 1), .output),
        ] as [(Verdict.Cause, RunStatistics.Limit)])
    func `everything that can hold a run back has a name for programs`(
        cause: Verdict.Cause, limit: RunStatistics.Limit
    ) {
        #expect(RunStatistics.Limit(cause) == limit)
    }
}
