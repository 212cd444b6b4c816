import Dispatch
import Glibc
import StreamTestSupport
import SystemPackage
import Testing

@testable import ByteStreams
@testable import ChunkPipeline

/// Short runs with random sizes and delays, and a failure in one of the places where they wait.
@Suite(.timeLimit(.minutes(4)))
struct RandomRunTests {
    /// `scripts/campaign runs` asks for more of them, from another seed on.
    private static let count = getenv("SLUICE_RUNS").flatMap { Int(String(cString: $0)) } ?? 300
    private static let seed = getenv("SLUICE_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
    /// As many as a deadline is for.
    private static let atOnce = 100

    private enum Trouble: CaseIterable {
        case none, read, chunk, write, silentSource, silentSink, cancellation
    }

    @Test func `a run ends in time with the right bytes or a prefix, and all memory comes back`() async throws {
        for first in stride(from: 0, to: Self.count, by: Self.atOnce) {
            try await within(60) {
                for number in first..<min(Self.count, first + Self.atOnce) {
                    try Self.run(Self.seed &+ UInt64(number))
                }
            }
        }
    }

    private static func run(_ seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let content = sample(Int.random(in: 0..<20_000, using: &numbers), seed: seed)
        let trouble = Trouble.allCases.randomElement(using: &numbers) ?? .none
        let place = Int.random(in: 0..<25, using: &numbers)
        let delays = Locked(SeededNumbers(seed: seed &+ 1))
        let pause = { @Sendable in
            let delay = delays.withLock { numbers in UInt32.random(in: 0..<2000, using: &numbers) }
            if delay < 300 { usleep(delay) }
        }
        var events: [Int: ScriptedSource.Event] = [:]
        if trouble == .read { events[place] = .failure(.reading(.ioError)) }
        if trouble == .silentSource { events[place] = .silence }
        let piece = Int.random(in: 1...3000, using: &numbers)
        let source = ScriptedSource(content, piece: max(piece, content.count / 60), events: events, pause: pause)
        let sink = ScriptedSink(
            failing: trouble == .write ? (place, .noSpace) : nil, silent: trouble == .silentSink ? place : nil,
            joins: Bool.random(using: &numbers), pause: pause)
        var run = InvertingRun()
        run.chunkSize = max(Int.random(in: 1...3000, using: &numbers), content.count / 60 + 1)
        run.slots = Int.random(in: 3...6, using: &numbers)
        run.workers = Int.random(in: 1...4, using: &numbers)
        if Int.random(in: 0..<3, using: &numbers) == 0 {
            run.segments = Bool.random(using: &numbers) ? .max : Int.random(in: 1...12, using: &numbers)
            run.permits = Int.random(in: 1...2, using: &numbers)
        }
        if Int.random(in: 0..<3, using: &numbers) == 0 { run.level = Int.random(in: 1...run.slots, using: &numbers) }
        // A first frame that waits for the next one has to be whole.
        run.holdsFirst = run.segments == 0 && Int.random(in: 0..<3, using: &numbers) == 0
        if trouble == .chunk { run.failing = UInt64(place * run.chunkSize) }
        run.pause = pause
        let ends = trouble == .cancellation || trouble == .silentSource || trouble == .silentSink
        let delay = Double.random(in: 0..<0.01, using: &numbers)
        let (mayCancel, cancelled) = (Locked(true), DispatchGroup())
        let failure = try run.run(from: source, to: sink) { latch in
            guard ends else { return }
            DispatchQueue(label: "test.cancel").async(group: cancelled) {
                let isThere = { trouble == .cancellation || source.isWaiting || sink.isWaiting }
                while !isThere(), mayCancel.withLock({ $0 }) { usleep(200) }
                usleep(UInt32(delay * 1e6))
                latch.fail(.cancelled)
            }
        }
        mayCancel.withLock { $0 = false }
        cancelled.wait()
        let inverted = content.map { ~$0 }
        switch failure {
        case nil: #expect(sink.bytes.isSame(as: inverted), "seed \(seed): the bytes")
        case .cancelled?: #expect(ends && sink.bytes.isPrefix(of: inverted), "seed \(seed): \(trouble)")
        case let failure?:
            let expected: [Trouble: Failure] = [
                .read: .reading(.ioError), .chunk: .outOfMemory, .write: .writing(.noSpace),
            ]
            #expect(failure == expected[trouble] && sink.bytes.isPrefix(of: inverted), "seed \(seed): \(failure)")
        }
    }
}
