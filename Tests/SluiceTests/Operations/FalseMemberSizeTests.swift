import Glibc
import StreamTestSupport
import TestSupport
import Testing

@testable import SluiceEngine

/// A member of gzip may say a wrong size, which leads to the header of another member within its stored content. The
/// content is that of the members in order, as gzip reads it.
@Suite(.timeLimit(.minutes(4)))
struct FalseMemberSizeTests {
    /// Members, those at some places with wrong sizes, and other data between them.
    private struct Made {
        private(set) var bytes: [UInt8] = []
        private(set) var content: [UInt8] = []
        private var numbers: SeededNumbers

        init(seed: UInt64, parts: Int) throws {
            numbers = SeededNumbers(seed: seed)
            for _ in 0..<parts { try addPart() }
        }

        private mutating func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &numbers) }

        private mutating func noise(_ most: Int) -> [UInt8] {
            sample(random(0..<most), seed: UInt64.random(in: 1...UInt64.max, using: &numbers))
        }

        private mutating func addPart() throws {
            let plain = noise(3000)
            switch random(0..<24) {
            case 0: (bytes, content) = (bytes + member(plain, in: .gzip), content + plain)
            case 1: (bytes, content) = (bytes + (try frame(plain)), content + plain)
            case 2: (bytes, content) = (bytes + xzBlocks(plain, of: 1000), content + plain)
            case 3...7: (bytes, content) = (bytes + sizedMembers(plain, of: 700), content + plain)
            case 8...12:
                let (inner, member) = nested(depth: random(1..<4))
                (bytes, content) = (bytes + member, content + inner)
            default: (bytes, content) = (bytes + storedMember(plain), content + plain)
            }
        }

        /// Content that has a member within it, to which the size of the member around leads.
        private mutating func nested(depth: Int) -> (content: [UInt8], member: [UInt8]) {
            let (before, after) = (noise(600), noise(900))
            var (within, size): ([UInt8], Int?) = (noise(900), nil)
            if depth > 1 { within = nested(depth: depth - 1).member }
            var tail = after
            switch random(0..<4) {
            // The truth: what follows it is no member.
            case 0: break
            // That it reaches to the next true member.
            case 1: size = storedMemberOverhead + within.count + after.count + 8
            // That it reaches into the content after it, where another header stands.
            case 2:
                size = storedMemberOverhead + within.count + after.count
                tail += storedMember(noise(200))
            default: tail = storedMember(after) + storedMember([]) + noise(50)
            }
            let content = before + storedMember(within, saying: size) + tail
            return (content, storedMember(content, saying: 23 + before.count))
        }
    }

    /// A way in which the input may come and go.
    private struct Way {
        var job: Job
        let piece: Int
        let isSlow: Bool
        let seed: UInt64

        init(seed: UInt64) {
            var numbers = SeededNumbers(seed: seed)
            job = Job.decompress(threads: Int.random(in: 2...8, using: &numbers))
            job.spareSlots = Int.random(in: -6...2, using: &numbers)
            job.fillBeforeWriting = [0, 0, 0.5, 1].randomElement(using: &numbers) ?? 0
            piece = [Int.max, 1000, 70_000, 20_000].randomElement(using: &numbers) ?? 1
            isSlow = Int.random(in: 0..<3, using: &numbers) == 0
            self.seed = seed
        }

        func outcome(of input: [UInt8], failingAt place: Int? = nil) -> Outcome {
            let delays = Locked(SeededNumbers(seed: seed))
            let pause = { @Sendable [isSlow] in
                guard isSlow else { return }
                usleep(delays.withLock { numbers in UInt32.random(in: 0..<600, using: &numbers) })
            }
            let events = place.map { [$0: ScriptedSource.Event.failure(.reading(.ioError))] } ?? [:]
            let source = ScriptedSource(input, piece: piece, events: events, pause: pause)
            let sink = ScriptedSink(pause: pause)
            do throws(Failure) {
                let summary = try job.run(from: Source(source), to: Sink(sink))
                return Outcome(bytes: sink.bytes, failure: nil, summary: summary)
            } catch {
                return Outcome(bytes: sink.bytes, failure: error, summary: nil)
            }
        }
    }

    private static let seeds = 1...(isLong ? 2000 : 150) as ClosedRange<UInt64>

    @Test func `wherever it is, the content is that of the members in order`() async throws {
        for seed in Self.seeds {
            let (wanted, one, outcome) = try await within {
                let made = try Made(seed: seed, parts: Int(seed % 90))
                let one = Job.decompress(threads: 1).outcomeInMemory(of: made.bytes)
                return (made.content, one, Way(seed: seed).outcome(of: made.bytes))
            }
            if seed % 90 == 0 { continue }
            #expect(one.failure == nil && one.bytes.isSame(as: wanted), "seed \(seed): one worker")
            #expect(outcome.failure == nil && outcome.bytes.isSame(as: wanted), "seed \(seed)")
        }
    }

    @Test func `what is damaged or cut after it is the same error as for one worker`() async throws {
        for seed in Self.seeds {
            let (one, outcome, warnings) = try await within {
                var bytes = try Made(seed: seed, parts: 1 + Int(seed % 60)).bytes
                var numbers = SeededNumbers(seed: seed)
                switch seed % 4 {
                case 0: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &numbers))
                case 1: bytes[Int.random(in: 0..<bytes.count, using: &numbers)] ^= 1
                case 2: bytes += [[0, 0], [1, 2, 3], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1]][Int(seed / 4 % 4)]
                default:
                    // A size that counts zeros after the member, which may only end the input.
                    let zeros = [UInt8](repeating: 0, count: 10)
                    bytes += storedMember([1, 2], saying: storedMemberOverhead + 12) + zeros + bytes
                }
                let one = Job.decompress(threads: 1).outcomeInMemory(of: bytes)
                let outcome = Way(seed: seed).outcome(of: bytes)
                return (one, outcome, [one, outcome].map { $0.summary?.ignoredZeros })
            }
            #expect(outcome.failure == one.failure, "seed \(seed)")
            #expect(outcome.bytes.isSame(as: one.bytes), "seed \(seed): \(outcome.bytes.count) of \(one.bytes.count)")
            #expect(warnings[0] == warnings[1], "seed \(seed)")
        }
    }

    @Test func `a read that fails ends the run behind a prefix of the content`() async throws {
        for seed in Self.seeds {
            let (wanted, outcome) = try await within {
                let made = try Made(seed: seed, parts: 1 + Int(seed % 60))
                return (made.content, Way(seed: seed).outcome(of: made.bytes, failingAt: Int(seed % 7)))
            }
            let isWhole = outcome.failure == nil && outcome.bytes.count == wanted.count
            #expect(isWhole || outcome.failure == .reading(.ioError), "seed \(seed)")
            #expect(outcome.bytes.isPrefix(of: wanted), "seed \(seed)")
        }
    }

    @Test(arguments: [2, 4]) func `so it is in a file and through pipes`(threads: Int) async throws {
        let (isSame, failures) = try await within {
            let made = try (1...60).map { try Made(seed: UInt64($0), parts: 40) }
            let (input, wanted) = (made.flatMap(\.bytes), made.flatMap(\.content))
            let job = Job.decompress(threads: threads)
            let outcomes = [
                try job.outcome(of: input), try job.outcomeThroughPipes(of: input, pieces: [1 << 16, 777]),
            ]
            return (outcomes.map { $0.bytes.isSame(as: wanted) }, outcomes.map(\.failure))
        }
        #expect(isSame == [true, true])
        #expect(failures == [nil, nil])
    }
}
