import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// A content with a byte that comes from a dictionary, and a verification that has another byte there: the frame with
/// it does not decompress to its content, as if memory had failed while it was made.
private struct SpoiledContent {
    /// Bytes of the content before and after that byte that are the dictionary's, too.
    private static let reach = 4096

    var bytes: [UInt8]
    let options: CompressionOptions
    let dictionary: CompressionDictionary
    let reverse: DecompressionDictionary
    let verification: Verification

    /// - Parameter place: that of the byte.
    init(_ count: Int, at place: Int, frameSize: Int) throws {
        bytes = patchwork(count, seed: 5)
        var numbers = SeededNumbers(seed: 6)
        var common = (0..<2 * Self.reach).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
        let start = place / frameSize * frameSize
        for near in max(start, place - Self.reach)..<min(count, start + frameSize, place + Self.reach) {
            bytes[near] = common[near - place + Self.reach]
        }
        // A wrong checksum would tell only where the frame begins.
        options = CompressionOptions(level: 1, frameSize: frameSize, hasChecksum: false)
        dictionary = try CompressionDictionary(common.span.bytes, for: options)
        reverse = try DecompressionDictionary(common.span.bytes)
        common[Self.reach] ^= 1
        verification = Verification(dictionary: try DecompressionDictionary(common.span.bytes))
    }
}

@Suite(.timeLimit(.minutes(4)))
struct VerificationTests {
    @Test(arguments: [0, 65_535, 65_536, 700_123, 999_999], [1, 3])
    func `a frame that is not its content ends the run with the byte, and is not written`(
        spoiled: UInt64, threads: Int
    ) async throws {
        let content = try SpoiledContent(1_000_000, at: Int(spoiled), frameSize: 1 << 16)
        var compression = Compression(content.options, dictionary: content.dictionary)
        compression.verification = content.verification
        let operation = compression
        let outcome = try await within { try Job(operation, threads: threads).outcome(of: content.bytes) }
        #expect(outcome.failure == .unproven(contentOffset: spoiled))
        // One frame alone would look complete, so that it is not written either.
        let before = spoiled / 65_536 == 1 ? 0 : spoiled / 65_536 * 65_536
        let written = try Job(Decompression(dictionary: content.reverse)).outcome(of: outcome.bytes)
        #expect(written.bytes.isSame(as: Array(content.bytes[..<Int(before)])))
    }

    @Test func `a run that can be continued proves the frames that it makes`() async throws {
        let content = try SpoiledContent(1_000_000, at: 700_123, frameSize: 1 << 16)
        var compression = Compression(content.options, dictionary: content.dictionary)
        compression.verification = content.verification
        let operation = compression
        let failure = try await within {
            let source = try NamelessFile(content.bytes)
            let output = try NamelessFile([])
            let sink = try Sink(output.descriptor, resumption: .ofSameSource)
            return #expect(throws: Failure.self) {
                try Job(operation, threads: 2).run(from: Source(source.descriptor), to: sink)
            }
        }
        #expect(failure == .unproven(contentOffset: 700_123))
    }

    @Test func `a single frame that is not its content ends the run with the byte`() async throws {
        let content = try SpoiledContent(3_000_000, at: 5000, frameSize: 3_000_000)
        let operation = SingleFrame(
            content.options, dictionary: content.dictionary, verification: content.verification)
        let outcome = try await within { try Job(operation, threads: 2).outcome(of: content.bytes) }
        #expect(outcome.failure == .unproven(contentOffset: 5000))
    }

    @Test(arguments: [0, 1, 65_536, 65_537, 3_000_000])
    func `what is verified has the same bytes`(count: Int) async throws {
        let content = patchwork(count, seed: 7)
        let options = CompressionOptions(level: 3, frameSize: 1 << 18)
        var compression = Compression(options)
        compression.verification = Verification()
        let pairs: [(any RunOperation, any RunOperation)] = [
            (Compression(options), compression),
            (SingleFrame(options), SingleFrame(options, verification: Verification())),
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
        var frame = try Job(Compression(level: 3)).output(of: content)
        var proof = try FrameProof(Verification())
        var scanner = FrameScanner()
        frame = Array(frame[..<(try scanner.scan(frame.span.bytes).scanned)])
        try proof.prove(frame.span.bytes, of: content.span.bytes)
        frame[place < 0 ? frame.count + place : place] ^= 0x40
        var failure: Failure?
        do throws(Failure) { try proof.prove(frame.span.bytes, of: content.span.bytes) } catch { failure = error }
        guard failure?.code == .verification else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }
}
