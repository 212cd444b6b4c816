import StreamTestSupport
import Synchronization
import TestSupport
import Testing
import ZstdCodec

@testable import Sluice

/// Another operation, as one would be added: it counts the lines of compressed content. Nothing else has to know of it.
private struct LineCounting: Operation {
    let lines = Count()

    var contentSide: Statistics.Activity.Content { .output }
    var slotSize: Int { Int(FrameCutter.slotSize) }

    func run(on engine: Engine) throws(Failure) {
        let limits = DecodingLimits(windowSize: UInt64(Decompression.defaultWindowLimit))
        var cutter = FrameCutter(engine.reader, room: ChunkRoom(slots: engine.slots), limits: limits)
        try engine.run(&cutter) { [lines] () throws(Failure) in
            CountTransform(lines, try DecompressTransform(limits: limits))
        }
    }
}

/// Counts what another transform makes.
private struct CountTransform: Transform, ~Copyable {
    private let lines: Count
    private var inner: DecompressTransform

    init(_ lines: Count, _ inner: consuming DecompressTransform) {
        self.lines = lines
        self.inner = inner
    }

    mutating func apply(_ chunk: consuming Chunk, with buffer: inout GatherBuffer) throws(Failure) -> Frame {
        let frame = try inner.apply(chunk, with: &buffer)
        frame.bytes.forEachRegion { count($0) }
        return frame
    }

    mutating func begin(at offset: UInt64, _ place: ForeignPlace?) throws(Failure) {
        try inner.begin(at: offset, place)
    }

    mutating func step(
        _ segment: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        let result = try inner.step(&segment, into: output, isLast: isLast)
        count(UnsafeRawBufferPointer(rebasing: output[..<result.written]))
        return result
    }

    private func count(_ bytes: UnsafeRawBufferPointer) {
        lines.add(bytes.count { $0 == UInt8(ascii: "\n") })
    }
}

@Suite(.timeLimit(.minutes(1)))
struct OperationTests {
    @Test(arguments: [1, 3])
    func `an operation is a type, and nothing else has to know of it`(threads: Int) async throws {
        let content = Array(String(repeating: "a line of text\n", count: 20_000).utf8)
        let counted = try await within {
            let input = try NamelessFile(Job.compress().output(of: content))
            let counting = LineCounting()
            let job = Job(Action(operation: counting), threads: threads)
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
