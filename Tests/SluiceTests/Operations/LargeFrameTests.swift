import Synchronization
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Runs that decode large frames on several cores, whatever the input is and however it comes.
@Suite(.timeLimit(.minutes(4)))
struct LargeFrameTests {
    /// The same run on several cores, and with one for each frame.
    private static let jobs: (shared: Job, alone: Job) = {
        var operation = Decompression()
        // Frames come in segments.
        operation.room.slotSize = 1 << 16
        let job = Job(operation, threads: 3)
        var alone = job
        alone.splitsFrames = false
        return (job, alone)
    }()

    /// Frames with and without checksums, a skippable one between them.
    private static let (frames, content) = {
        let contents = [patchwork(9_000_000), sample(300_000, seed: 2), patchwork(9_000_000, seed: 3)]
        var narrow = CompressionOptions(level: 5)
        narrow.parameters[.windowLog] = 17
        let options = [CompressionOptions(level: 3), CompressionOptions(level: 1, hasChecksum: false), narrow]
        let frames = zip(contents, options).map { (try? frame($0, $1)) ?? [] }
        let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]
        return (frames[0] + skippable + frames[1] + frames[2], contents.flatMap(\.self))
    }()

    /// The outcome of a job, and whether several cores have decoded.
    private static func outcome(of job: Job, piece: Int) -> (run: Outcome, wasShared: Bool) {
        let wasShared = Atomic(false)
        var job = job
        job.monitor = Monitor([{ if $0.stage == .blocks { wasShared.store(true, ordering: .relaxed) } }])
        let run = job.outcomeInMemory(of: frames, piece: piece)
        return (run, wasShared.load(ordering: .relaxed))
    }

    @Test(arguments: [777, 1 << 16, 1 << 20, .max])
    func `an input that can't be read again is decoded from pieces of any size`(piece: Int) async throws {
        let (shared, alone) = try await within {
            (Self.outcome(of: Self.jobs.shared, piece: piece), Self.outcome(of: Self.jobs.alone, piece: piece))
        }
        #expect(shared.run.failure == nil && shared.run.bytes.isSame(as: Self.content))
        #expect(alone.run.failure == nil && alone.run.bytes.isSame(as: Self.content))
        #expect(shared.wasShared && !alone.wasShared)
    }

    @Test(arguments: 0..<4)
    func `damaged and cut input fails as with one core`(turn: Int) async throws {
        let different = try await within {
            var numbers = SeededNumbers(seed: UInt64(turn))
            return (0..<(isLong ? 10 : 5)).filter { round in
                var frames = Self.frames
                let place = Int.random(in: 20..<frames.count, using: &numbers)
                if round % 3 == 0 {
                    frames.removeLast(frames.count - place)
                } else {
                    frames[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
                }
                let shared = Self.jobs.shared.outcomeInMemory(of: frames, piece: 1 << 18)
                let alone = Self.jobs.alone.outcomeInMemory(of: frames, piece: 1 << 18)
                // How much leaves before a failure is another matter; without a checksum there may be none.
                let isSame = shared.bytes.isSame(as: alone.bytes)
                let isPrefix = shared.bytes.isPrefix(of: alone.bytes) || alone.bytes.isPrefix(of: shared.bytes)
                return shared.failure != alone.failure || !isPrefix || shared.failure == nil && !isSame
            }
        }
        #expect(different == [])
    }

    /// What decodes large frames, one at a time: the reader waits for the window of the frame before, whose output is
    /// held back until the buffer is full enough.
    private static let oneByOne: [String: any RunOperation] = {
        var decompression = Decompression()
        decompression.room.slotSize = 1 << 16
        while decompression.room.reduce(by: .largeFrames) {}
        return ["decompression": decompression, "recovery": Recovery(.zeros, decompression)]
    }()

    @Test(arguments: ["decompression", "recovery"], [0.1, 0.5, 1])
    func `a buffer that fills first keeps no large frame from its end`(name: String, fill: Double) async throws {
        let bytes = try await within {
            var job = Job(try #require(Self.oneByOne[name]), threads: 3)
            job.buffer = 8 << 20
            job.fillBeforeWriting = fill
            return try job.output(of: Self.frames)
        }
        #expect(bytes.isSame(as: Self.content))
    }

    /// The helpers are the pool's.
    @Test func `a run for a Task decodes in stages, and its workerPool gets its workers back`() async throws {
        let workerPool = WorkerPool(shared: 2)
        var job = Self.jobs.shared
        job.workerPool = workerPool
        let (run, wasShared) = try await within { [job] in Self.outcome(of: job, piece: 1 << 20) }
        #expect(run.failure == nil && run.bytes.isSame(as: Self.content))
        #expect(wasShared)
        #expect(eventually(5) { workerPool.available == 2 })
    }

    @Test func `a workerPool without a free worker leaves a frame to libzstd`() async throws {
        var job = Self.jobs.shared
        job.workerPool = WorkerPool(shared: 0)
        let (run, wasShared) = try await within { [job] in Self.outcome(of: job, piece: 1 << 20) }
        #expect(run.failure == nil && run.bytes.isSame(as: Self.content))
        #expect(!wasShared)
    }
}
