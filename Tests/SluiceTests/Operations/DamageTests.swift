import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// A stream that is cut or changed gives an error or the right bytes; what was written before the error is a prefix.
@Suite(.timeLimit(.minutes(4)))
struct DamageTests {
    static let frameSize = 512
    static let content = sample(2 * 512 + 100)

    /// Streams of a few hundred or thousand bytes, each of another shape.
    enum Shape: CaseIterable {
        case own, withoutChecksums, single, concatenated, pzstd

        func stream() throws -> [UInt8] {
            switch self {
            case .own: return try Job.compress(frameSize: frameSize).output(of: content)
            case .withoutChecksums:
                let options = CompressionOptions(level: 1, frameSize: frameSize, hasChecksum: false)
                return try Job(Compression(options)).output(of: content)
            case .single: return try Job(SingleFrame(.init(level: 1))).output(of: content)
            case .concatenated:
                return try frame(Array(content[..<500])) + frame([])
                    + frame(Array(content[500...]), CompressionOptions(level: 5))
            case .pzstd:
                let frame = try frame(content)
                let size = withUnsafeBytes(of: UInt32(frame.count).littleEndian) { Array($0) }
                return [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0] + size + frame
            }
        }

        /// Lengths at which a cut leaves a whole, shorter stream, which nobody can tell from this one.
        func ends() throws -> Set<Int> {
            switch self {
            // The header comes after the first frame.
            case .own, .withoutChecksums:
                let options = CompressionOptions(level: 1, hasChecksum: self == .own)
                var compressor = try Compressor(options)
                var bytes = [UInt8](repeating: 0, count: 2 * frameSize)
                let first = Array(content[..<frameSize])
                return [
                    try bytes.withUnsafeMutableBytes { try compressor.compress(first.span.bytes, into: $0) }
                ]
            case .single: return []
            case .concatenated:
                let first = try frame(Array(content[..<500])).count
                return [first, first + 13]
            case .pzstd: return [12]
            }
        }
    }

    @Test(arguments: Shape.allCases)
    func `every truncation is an error`(shape: Shape) async throws {
        let (wrong, isPrefix) = try await within(50) {
            let (stream, ends) = (try shape.stream(), try shape.ends())
            var wrong: [Int] = []
            var isPrefix = true
            for count in 0..<stream.count {
                let cut = Array(stream[..<count])
                // To make a file takes most of the time.
                let outcome =
                    try count % 3 == 0
                    ? Job.decompress().outcome(of: cut) : Job.decompress(threads: 1).outcomeInMemory(of: cut)
                if (outcome.failure == nil) != ends.contains(count) { wrong.append(count) }
                isPrefix = isPrefix && outcome.bytes.isPrefix(of: Self.content)
            }
            return (wrong, isPrefix)
        }
        #expect(wrong == [])
        #expect(isPrefix)
    }

    /// All shapes whose frames have checksums. From memory: to open a file for each would take most of the time.
    @Test(arguments: [Shape.own, .single, .concatenated, .pzstd], 0..<8)
    func `a changed bit gives an error or the right bytes`(shape: Shape, bit: Int) async throws {
        let wrong = try await within(50) {
            let stream = try shape.stream()
            // Every byte, each for some of its bits.
            return stride(from: isLong ? 0 : bit % 3, to: stream.count, by: isLong ? 1 : 3).filter { index in
                var changed = stream
                changed[index] ^= 1 << UInt8(bit)
                return Self.isWrong(Job.decompress(threads: 1).outcomeInMemory(of: changed))
            }
        }
        #expect(wrong == [])
    }

    @Test(arguments: [Shape.own, .single, .concatenated, .pzstd])
    func `a changed byte of a file gives an error or the right bytes`(shape: Shape) async throws {
        let wrong = try await within(50) {
            let stream = try shape.stream()
            return try stride(from: 0, to: stream.count, by: 3).filter { index in
                var changed = stream
                changed[index] ^= 0xFF
                return Self.isWrong(try Job.decompress().outcome(of: changed))
            }
        }
        #expect(wrong == [])
    }

    private static func isWrong(_ outcome: Outcome) -> Bool {
        outcome.failure == nil ? !outcome.bytes.isSame(as: content) : !outcome.bytes.isPrefix(of: content)
    }

    /// Frames of 64 KiB, one, and pzstd's, of 600 KB: places all over them, and those around the ends of frames.
    @Test(arguments: [Shape.own, .single, .pzstd])
    func `a large stream that is cut is an error, and what came is a prefix`(shape: Shape) async throws {
        let content = sample(600_000)
        let wrong = try await within(50) {
            let job = shape == .single ? Job(SingleFrame(.init(level: 1))) : .compress()
            var stream = try shape == .pzstd ? frame(content) : job.output(of: content)
            if shape == .pzstd {
                let size = withUnsafeBytes(of: UInt32(stream.count).littleEndian) { Array($0) }
                stream = [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0] + size + stream
            }
            return (0..<200).map { stream.count * $0 / 200 + $0 * 37 % 1000 }.filter { cut in
                let outcome = Job.decompress().outcomeInMemory(
                    of: Array(stream[..<min(cut, stream.count - 1)]), piece: 9999)
                return outcome.failure == nil || !outcome.bytes.isPrefix(of: content)
            }
        }
        #expect(wrong == [])
    }

    @Test(arguments: Shape.allCases)
    func `bytes after the end are an error, and the content before them is there`(shape: Shape) async throws {
        let (outcomes, size) = try await within {
            let stream = try shape.stream()
            let trailers = [[UInt8](repeating: 0, count: 100), [0x28], [1, 2, 3, 4]]
            return (try trailers.map { try Job.decompress().outcome(of: stream + $0) }, UInt64(stream.count))
        }
        for outcome in outcomes { #expect(outcome.bytes.isSame(as: Self.content)) }
        // Zeros may follow a seek table, which proves that nothing is missing.
        let hasTable = ![.single, .concatenated, .pzstd].contains(shape)
        #expect(outcomes[0].failure == (hasTable ? nil : .codec(.trailingZeros(offset: size))))
        #expect(outcomes[1].failure == .codec(.truncated(offset: size + 1)))
        #expect(outcomes[2].failure == .codec(.trailingBytes(offset: size)))
    }

    @Test func `two streams one after another are both contents, and the first must be whole`() async throws {
        let (both, cut) = try await within {
            let stream = try Shape.own.stream()
            return (
                try Job.decompress().outcome(of: stream + stream),
                try Job.decompress().outcome(of: stream.dropLast(17 + 4 * 12) + stream)
            )
        }
        #expect(both.failure == nil)
        #expect(both.bytes.isSame(as: Self.content + Self.content))
        guard case .missingSeekTable? = cut.failure?.codecFailure else {
            Issue.record("the missing table was not missed: \(String(describing: cut.failure))")
            return
        }
    }

    /// The frames before the damage are written, whatever the order in which the workers come to it.
    @Test(arguments: 0..<4, [1, 4])
    func `every frame before the damage is there`(index: Int, threads: Int) async throws {
        let outcome = try await within {
            var frames = try (0..<4).map { try frame(sample(2 << 20, seed: UInt64($0 + 1))) }
            frames[index][frames[index].count - 1] ^= 1
            return try Job.decompress(threads: threads).outcome(of: frames.flatMap(\.self))
        }
        #expect(outcome.bytes.isSame(as: (0..<index).flatMap { sample(2 << 20, seed: UInt64($0 + 1)) }))
        guard case .corrupt? = outcome.failure?.codecFailure else {
            Issue.record("not called corrupt: \(String(describing: outcome.failure))")
            return
        }
    }
}
