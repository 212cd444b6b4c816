import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// A call that fails ends the run with its error, whichever it is: what was written is a prefix of the right data, and
/// never taken for all of it.
@Suite(.timeLimit(.minutes(4)))
struct FaultTests {
    enum Kind: CaseIterable {
        case compress, singleFrame, decompress, decompressSingleFrame, copy

        func job(threads: Int) -> Job {
            switch self {
            case .compress: .compress(frameSize: 8192, threads: threads)
            case .singleFrame: Job(SingleFrame(.init(level: 1)), threads: threads)
            case .decompress, .decompressSingleFrame: .decompress(threads: threads)
            case .copy: Job(Copying(), threads: threads)
            }
        }

        var input: [UInt8] {
            get throws {
                switch self {
                case .decompress: try Job.compress(frameSize: 8192).output(of: FaultTests.content)
                case .decompressSingleFrame: try frame(FaultTests.content)
                default: FaultTests.content
                }
            }
        }
    }

    static let content = sample(200_000)

    /// The calls whose failure was told as something else, or left something else than a prefix, and how many there
    /// are: as many as it takes until a run has no call of that number, and succeeds.
    private static func trials(
        of kind: Kind, threads: Int, _ failure: Failure, _ run: @Sendable (Job, [UInt8], Int) -> Outcome
    ) throws -> (wrong: [Int], count: Int) {
        let (job, input) = (kind.job(threads: threads), try kind.input)
        let whole = run(job, input, .max).bytes
        var wrong: [Int] = []
        for call in 0... {
            let outcome = run(job, input, call)
            guard let told = outcome.failure else { return (outcome.bytes.isSame(as: whole) ? wrong : [call], call) }
            if told != failure || !outcome.bytes.isPrefix(of: whole) { wrong.append(call) }
        }
        return (wrong, .max)
    }

    @Test(arguments: Kind.allCases, [1, 3])
    func `whichever read fails, the run ends with its error`(kind: Kind, threads: Int) async throws {
        let (wrong, count) = try await within(50) {
            try Self.trials(of: kind, threads: threads, .reading(.ioError)) { job, input, call in
                job.outcomeInMemory(of: input, piece: 5000, events: [call: .failure(.reading(.ioError))])
            }
        }
        #expect(wrong == [])
        #expect(count > 10)
    }

    @Test(arguments: Kind.allCases, [1, 3])
    func `whichever write fails, the run ends with its error`(kind: Kind, threads: Int) async throws {
        let (wrong, count) = try await within(50) {
            try Self.trials(of: kind, threads: threads, .writing(.noSpace)) { job, input, call in
                job.outcomeInMemory(of: input, piece: 5000, failing: (call, .noSpace))
            }
        }
        #expect(wrong == [])
        #expect(count > 0)
    }
}
