import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// A run that is cut to fit does the same, only slower.
@Suite(.timeLimit(.minutes(4)))
struct MemoryTests {
    private static let mebibyte: UInt64 = 1 << 20

    /// Made of one piece: to make so many numbers one by one takes longer than all else.
    private static func content(_ count: Int) -> [UInt8] {
        let piece = sample(min(count, 100_000))
        var content: [UInt8] = []
        content.reserveCapacity(count + piece.count)
        while content.count < count { content += piece }
        content.removeLast(content.count - count)
        return content
    }

    @Test(arguments: [1, 8], [40, 64, 200] as [UInt64])
    func `a compression fits, and has other bytes only if its frames are smaller`(threads: Int, limit: UInt64)
        async throws
    {
        let content = Self.content(5 << 20)
        let (wanted, found, isSame) = try await within {
            var job = Job.compress(frameSize: 2 << 20)
            job.threads = threads
            let wanted = try job.output(of: content)
            let fits = job.fit(into: limit * Self.mebibyte, inputSize: nil)
            #expect(fits)
            #expect(job.memory(inputSize: nil) <= limit * Self.mebibyte)
            return (wanted, try job.output(of: content), job.frameSize == 2 << 20)
        }
        #expect((found == wanted) == isSame)
        #expect(isSame || limit < 64)
    }

    @Test func `a last chunk counts as much as the others, however little is left for it`() {
        var job = Job.compress(frameSize: 4 << 20)
        job.threads = 4
        #expect(job.memory(inputSize: 4 << 20) < job.memory(inputSize: 4 << 20 | 1))
        #expect(job.memory(inputSize: 4 << 20 | 1) == job.memory(inputSize: 8 << 20))
    }

    @Test func `what fits is not changed`() {
        var job = Job(Compression(level: 3), threads: 4)
        job.buffer = 100 << 20
        let (workers, slots) = (job.workerCount, job.slotCount)
        var fits = job.fit(into: 8 << 30, inputSize: nil)
        #expect(fits)
        #expect((job.workerCount, job.slotCount) == (workers, slots))
        // A little less takes the buffer, and no worker.
        fits = job.fit(into: job.memory(inputSize: nil) - 1, inputSize: nil)
        #expect(fits)
        #expect(job.workerCount == workers)
        #expect(job.slotCount < slots)
    }

    @Test func `a small input needs no slot for what it does not have`() {
        var job = Job(Compression(level: 3), threads: 4)
        var fits = job.fit(into: 34 << 20, inputSize: 1000)
        #expect(fits)
        #expect(job.workerCount == 4)
        #expect(job.memory(inputSize: 1000) <= 34 << 20)
        fits = job.fit(into: 20 << 20, inputSize: nil)
        #expect(!fits)
    }

    @Test(arguments: [1, 4], [0, 80, 600] as [UInt64])
    func `a decompression that is cut makes the same of frames of every size`(threads: Int, limit: UInt64) async throws
    {
        let parts = [100, 3 << 20, 17, 9 << 20, 1 << 20].map(Self.content)
        let content = parts.reduce(into: []) { $0 += $1 }
        let output = try await within {
            let frames = try parts.map { try Job.compress(frameSize: 64 << 20).output(of: $0) }
            var job = Job(Decompression(), threads: threads)
            _ = job.fit(into: limit * Self.mebibyte, inputSize: nil, countsWindows: false)
            return try job.output(of: frames.reduce(into: []) { $0 += $1 })
        }
        #expect(output == content)
    }

    @Test func `a window that there is no memory for is refused`() async throws {
        var job = Job(Decompression(), threads: 2)
        let fits = job.fit(into: 120 << 20, inputSize: nil)
        #expect(fits)
        #expect(job.memory(inputSize: nil) <= 120 << 20)
        let failure = try await within { [job] in
            var options = CompressionOptions(level: 1, longWindowLog: 27)
            options.hasContentSize = false
            let frame = try Job(SingleFrame(options)).output(of: Self.content(1 << 20))
            return try job.outcome(of: frame).failure
        }
        guard case .windowTooLarge(let bytes, _, _)? = failure?.codecFailure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(bytes == 1 << 27)
    }
}
