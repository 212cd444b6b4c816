import TestSupport
import Testing

@testable import Sluice

/// A member of gzip may say a wrong size, which leads to the header of another member within its stored content. The
/// content is that of the members in order, as gzip reads it.
@Suite(.timeLimit(.minutes(4)))
struct FalseMemberSizeTests {
    /// What the member within the other says of its size.
    enum Inner: CaseIterable {
        /// The truth: what follows it is no member.
        case right
        /// That it reaches to the next true member.
        case toNext
        /// That it reaches into the content after it, where another header stands.
        case toAnother
    }

    private static let count = 40
    private static let contents = (0..<count).map { sample(3000 + 100 * ($0 % 7), seed: UInt64($0)) }

    /// Content that has a member within it, and a member of that with a wrong size.
    private static func nested(_ inner: Inner, seed: UInt64) -> (content: [UInt8], member: [UInt8]) {
        let (before, within) = (sample(500, seed: seed), sample(900, seed: seed + 1))
        let after = sample(700, seed: seed + 2)
        let innerSize = storedMemberOverhead + within.count
        let said: Int? =
            switch inner {
            case .right: nil
            // The end of the content, and the checksum and the size after it.
            case .toNext: innerSize + after.count + 8
            case .toAnother: innerSize + 300
            }
        var content = before + storedMember(within, saying: said) + after
        if inner == .toAnother {
            let start = before.count + innerSize + 300
            content.replaceSubrange(start..<start + 100, with: storedMember(sample(100 - storedMemberOverhead)))
        }
        return (content, storedMember(content, saying: 23 + before.count))
    }

    /// Members, those at these places with wrong sizes.
    private static func input(falseAt places: Set<Int>, _ inner: Inner) -> (bytes: [UInt8], content: [UInt8]) {
        var (bytes, content): ([UInt8], [UInt8]) = ([], [])
        for (place, plain) in contents.enumerated() {
            let (own, member) =
                places.contains(place) ? nested(inner, seed: UInt64(place)) : (plain, storedMember(plain))
            bytes += member
            content += own
        }
        return (bytes, content)
    }

    @Test(arguments: Inner.allCases, [1, 2, 4])
    func `wherever it is, the content is that of the members in order`(inner: Inner, threads: Int) async throws {
        let wrong = try await within {
            (0..<Self.count).filter { place in
                let input = Self.input(falseAt: [place, (place * 7 + 3) % Self.count], inner)
                let piece = [Int.max, 1000, 70_000][place % 3]
                let outcome = Job.decompress(threads: threads).outcomeInMemory(of: input.bytes, piece: piece)
                return outcome.failure != nil || !outcome.bytes.isSame(as: input.content)
            }
        }
        #expect(wrong == [])
    }

    @Test(arguments: [2, 4]) func `what is damaged or cut after it is the same error as for one worker`(
        threads: Int
    ) async throws {
        let different = try await within {
            var numbers = SeededNumbers(seed: UInt64(threads))
            return (0..<60).filter { round in
                let place = Int.random(in: 0..<Self.count, using: &numbers)
                var bytes = Self.input(falseAt: [place], Inner.allCases[round % 3]).bytes
                switch round % 3 {
                case 0: bytes.removeLast(Int.random(in: 1..<bytes.count / 2, using: &numbers))
                case 1: bytes[Int.random(in: 0..<bytes.count, using: &numbers)] ^= 1
                default: bytes += [[0, 0], [1, 2, 3], storedMember([]), [0, 0, 0, 0, 1]][round / 3 % 4]
                }
                let alone = Job.decompress(threads: 1).outcomeInMemory(of: bytes, piece: 50_000)
                let several = Job.decompress(threads: threads).outcomeInMemory(of: bytes, piece: 50_000)
                return several.failure != alone.failure || !several.bytes.isSame(as: alone.bytes)
            }
        }
        #expect(different == [])
    }

    /// More than what is decoded in one call.
    @Test(arguments: [2, 4]) func `so it is in a file and through pipes`(threads: Int) async throws {
        let (isSame, failures) = try await within {
            let (bytes, content) = Self.input(falseAt: [5, 25], .toNext)
            let copies = Int(Job.largestWholeFile) / bytes.count + 1
            let input = [[UInt8]](repeating: bytes, count: copies).flatMap(\.self)
            let wanted = [[UInt8]](repeating: content, count: copies).flatMap(\.self)
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
