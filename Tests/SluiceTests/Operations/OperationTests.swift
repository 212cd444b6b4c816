import StreamTestSupport
import Synchronization
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Another operation, as one would be added: it counts the lines of compressed content. Nothing else has to know of it.
private struct LineCounting: RunOperation {
    let lines = Count()

    var contentSide: Activity.Content { .output }
    var slotSize: Int { Int(FrameCutter.slotSize) }

    func run(on engine: Engine) throws(Failure) {
        let limits = DecodingLimits(windowSize: UInt64(Decompression.defaultWindowLimit))
        engine.writer.pass(through: LineCounter(lines))
        var cutter = FrameCutter(engine.reader, room: ChunkCapacity(slots: engine.slots), limits: limits)
        try engine.run(&cutter) { () throws(Failure) in try DecompressTransform(limits: limits) }
    }
}

/// Counts the lines of a content, and hands on nothing.
private final class LineCounter: ContentFilter {
    private let lines: Count

    init(_ lines: Count) { self.lines = lines }

    func take(_ bytes: Bytes, isContinued: Bool) -> Bytes {
        bytes.forEachRegion { lines.add($0.withUnsafeBytes { $0.count { $0 == UInt8(ascii: "\n") } }) }
        return Bytes()
    }
}

@Suite(.timeLimit(.minutes(4)))
struct OperationTests {
    @Test(arguments: [1, 3])
    func `an operation is a type, and nothing else has to know of it`(threads: Int) async throws {
        let content = Array(String(repeating: "a line of text\n", count: 20_000).utf8)
        let counted = try await within {
            let input = try NamelessFile(Job.compress().output(of: content))
            let counting = LineCounting()
            let job = Job(counting, threads: threads)
            #expect(try job.finished(from: input.descriptor, to: nil).0 == nil)
            return counting.lines.value
        }
        #expect(counted == 20_000)
    }

    /// What a caller may set has no value that hangs or crashes a run.
    @Test(arguments: [-5, 0], [-1.0, 0, 0.5, 7, .infinity])
    func `a number out of its range is brought into it`(threads: Int, fill: Double) async throws {
        let content = sample(300_000)
        let output = try await within {
            var job = Job.compress(frameSize: 1 << 15)
            job.threads = threads
            job.fillBeforeWriting = fill
            return try job.output(of: content)
        }
        #expect(output == (try await within { try Job.compress(frameSize: 1 << 15).output(of: content) }))
    }

    @Test(arguments: [Int.min, -1, 0, .max])
    func `a frame size out of its range is brought into it`(size: Int) {
        let options = CompressionOptions(frameSize: size)
        #expect((1...SeekTable.maximumFrameSize).contains(options.effectiveFrameSize))
    }
}
