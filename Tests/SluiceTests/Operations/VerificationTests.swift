import Dispatch
import TestSupport
import Testing
import ZstdCodec

@testable import Sluice

/// Compresses, and spoils one frame: its content changes, as it would in memory that fails while the frame is made.
private struct SpoilingTransform: Transform, ~Copyable {
    private var inner: CompressTransform
    private let spoiled: UInt64

    init(_ options: CompressionOptions, spoiling offset: UInt64) throws(Failure) {
        inner = try CompressTransform(options)
        spoiled = offset
    }

    mutating func apply(
        _ chunk: consuming ChunkMemory, bound: Int, offset: UInt64, slots: Slots
    ) throws(Failure) -> Frame {
        guard case .bytes(let bytes) = chunk, (offset..<offset + UInt64(bytes.count)).contains(spoiled) else {
            return try inner.apply(chunk, bound: bound, offset: offset, slots: slots)
        }
        var elements = bytes.elements
        elements[Int(spoiled - offset)] ^= 1
        return try inner.apply(.bytes(Bytes(elements)), bound: bound, offset: offset, slots: slots)
    }

    mutating func begin(at offset: UInt64, _ place: ForeignPlace?) throws(Failure) {
        try inner.begin(at: offset, place)
    }

    /// Spoils a byte of each segment.
    mutating func step(
        _ segment: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool
    ) throws(Failure) -> (written: Int, isDone: Bool) {
        var elements = Array(segment)
        if !elements.isEmpty { elements[elements.count / 2] ^= 1 }
        let count = elements.count
        let (left, result) = try elements.span.bytes.withUnsafeBytes { spoiled throws(Failure) in
            var rest = spoiled
            let result = try inner.step(&rest, into: output, isLast: isLast)
            return (rest.count, result)
        }
        segment = UnsafeRawBufferPointer(rebasing: segment.dropFirst(count - left))
        return result
    }
}

/// A compression by a worker that spoils a frame, which is proved.
private struct SpoilingCompression: Operation {
    let options: CompressionOptions
    let spoiled: UInt64
    let isSingleFrame: Bool

    var contentSide: Statistics.Activity.Content { .input }
    var slotSize: Int { options.effectiveFrameSize }

    func run(on engine: Engine) throws(Failure) -> Int {
        let makeTransform = { @Sendable () throws(Failure) in
            try VerifyingTransform(try SpoilingTransform(options, spoiling: spoiled), Verification())
        }
        if isSingleFrame {
            var cutter = SegmentCutter(engine.reader, slots: engine.slots, content: nil)
            return try engine.run(&cutter, makeTransform: makeTransform)
        }
        var cutter = ContentCutter(
            engine.reader, chunkSize: options.effectiveFrameSize, flushInterval: .never,
            readers: FileReaders(.dispatch, workers: engine.workers, slots: engine.slots))
        return try engine.run(&cutter, makeTransform: makeTransform)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct VerificationTests {
    @Test(arguments: [0, 65_535, 65_536, 700_123, 999_999], [1, 3])
    func `a frame that is not its content ends the run with the byte, and is not written`(
        spoiled: UInt64, threads: Int
    ) async throws {
        let content = patchwork(1_000_000, seed: 5)
        let options = CompressionOptions(level: 1, frameSize: 1 << 16)
        let operation = SpoilingCompression(options: options, spoiled: spoiled, isSingleFrame: false)
        let outcome = try await within {
            try Job(Action(operation: operation), threads: threads).outcome(of: content)
        }
        #expect(outcome.failure == .unproven(contentOffset: spoiled))
        let before = spoiled / 65_536 * 65_536
        let written = try Job.decompress().outcome(of: outcome.bytes)
        #expect(written.bytes.isSame(as: Array(content[..<Int(before)])))
    }

    @Test func `a single frame that is not its content ends the run with the byte`() async throws {
        let content = patchwork(3_000_000, seed: 6)
        let operation = SpoilingCompression(options: .init(level: 1), spoiled: 0, isSingleFrame: true)
        let outcome = try await within { try Job(Action(operation: operation), threads: 2).outcome(of: content) }
        guard outcome.failure?.code == .verification, let offset = outcome.failure?.offset else {
            Issue.record("\(String(describing: outcome.failure))")
            return
        }
        #expect(offset <= UInt64(content.count))
    }

    @Test(arguments: [0, 1, 65_536, 65_537, 3_000_000])
    func `what is verified has the same bytes`(count: Int) async throws {
        let content = patchwork(count, seed: 7)
        let options = CompressionOptions(level: 3, frameSize: 1 << 18)
        var compression = Compression(options)
        compression.verification = Verification()
        let pairs: [(Action, Action)] = [
            (.compress(Compression(options)), .compress(compression)),
            (.compressToSingleFrame(options), .compressToSingleFrame(options, verification: Verification())),
        ]
        for (plain, verified) in pairs {
            let (wanted, made) = try await within {
                (try Job(plain, threads: 2).output(of: content), try Job(verified, threads: 2).output(of: content))
            }
            #expect(made.isSame(as: wanted))
        }
    }

    @Test(arguments: [0, 4, 40, -5, -1])
    func `a small frame that was altered is not its content`(place: Int) throws {
        let content = patchwork(50_000, seed: 8)
        var frame = try Job(.compress(.init(level: 3))).output(of: content)
        var proof = try FrameProof(Verification())
        let end = frame.withUnsafeBytes { frame in
            var scanner = FrameScanner()
            return (try? scanner.scan(frame).scanned) ?? 0
        }
        frame = Array(frame[..<end])
        try content.withUnsafeBytes { content in try frame.withUnsafeBytes { try proof.prove($0, of: content) } }
        frame[place < 0 ? frame.count + place : place] ^= 0x40
        var failure: Failure?
        content.withUnsafeBytes { content in
            frame.withUnsafeBytes { frame in
                do throws(Failure) { try proof.prove(frame, of: content) } catch { failure = error }
            }
        }
        guard failure?.code == .verification else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }
}
