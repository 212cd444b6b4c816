import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Parts that are joined are the file that one run makes.
@Suite(.timeLimit(.minutes(4)))
struct JoinWriterTests {
    static let content = sample(20 * 4096 + 17)

    /// What becomes of parts: the file, and why it is none.
    ///
    /// - Parameter change: done to the file of each part between the look at it and its turn.
    static func join(
        _ parts: [[UInt8]], isVerifying: Bool = false, latch: FailureLatch = FailureLatch(),
        change: (FileDescriptor) throws -> Void = { _ in }
    ) throws -> (bytes: [UInt8], failure: Failure?) {
        let output = try NamelessFile()
        let failure = try join(parts, to: output.descriptor, isVerifying, latch, change)
        return (try output.content, failure)
    }

    private static func join(
        _ parts: [[UInt8]], to output: FileDescriptor, _ isVerifying: Bool, _ latch: FailureLatch,
        _ change: (FileDescriptor) throws -> Void
    ) throws -> Failure? {
        let scratch = try Scratch()
        let paths = try parts.enumerated().map { try scratch.write($1, to: "\($0)") }
        let files = try paths.map { try FileDescriptor.open($0, .readWrite) }
        defer { for file in files { try? file.close() } }
        do {
            let looked = try files.enumerated().map { try Part(of: Source($1), named: FilePath("\($0)")) }
            let set = try PartSet(looked)
            var writer = try JoinWriter(set, to: try Sink(output), latch: latch, isVerifying: isVerifying)
            for (part, file) in zip(looked, files) {
                try change(file)
                try writer.append(part, from: Source(file))
            }
            try writer.finish()
            return nil
        } catch let failure as Failure {
            return failure
        }
    }

    @Test(arguments: [1, 2, 3, 7, 21, 30], [nil, 1 << 16, 1 << 17])
    func `parts that are joined are the bytes of one run`(count: Int, alignment: Int?) async throws {
        let (whole, joined, checked) = try await within {
            var options = CompressionOptions(level: 1, frameSize: 4096)
            options.alignment = alignment
            let parts = try PartedContent(content: Self.content, count: count, options: options).parts()
            return (
                try Job(Compression(options), threads: 2).output(of: Self.content), try Self.join(parts),
                try Self.join(parts, isVerifying: true)
            )
        }
        #expect(joined.failure == nil && checked.failure == nil)
        #expect(joined.bytes.isSame(as: whole))
        #expect(checked.bytes.isSame(as: whole))
    }

    @Test(arguments: [false, true])
    func `a part that changes after it was looked at is not joined`(isLonger: Bool) async throws {
        let failure = try await within {
            // The time of a change is that of the kernel's last tick.
            try Self.join(PartedContent(content: Self.content).parts()) { file in
                pause(0.02)
                if isLonger {
                    try file.resize(to: file.seek(offset: 0, from: .end) + 1)
                } else {
                    _ = try file.writeAll(toAbsoluteOffset: 20, [0])
                }
            }.failure
        }
        #expect(failure == .part(.changed, "0"))
    }

    /// Both ends of a frame are looked at, and no byte between them.
    @Test func `a byte inside a frame is found only by who reads all of them`() async throws {
        let (unseen, seen, decoded) = try await within {
            var parts = try PartedContent(content: Self.content).parts()
            parts[1][500] ^= 1
            let unseen = try Self.join(parts)
            return (
                unseen.failure, try Self.join(parts, isVerifying: true).failure,
                try Job.decompress().outcome(of: unseen.bytes).failure
            )
        }
        #expect(unseen == nil)
        #expect(seen == .part(.otherBytes, "1"))
        #expect(decoded != nil)
    }

    @Test func `a run that was ended is not joined, and a full disk is told`() async throws {
        let (cancelled, full) = try await within {
            let parts = try PartedContent(content: Self.content).parts()
            let latch = FailureLatch()
            latch.fail(.cancelled)
            let device = try FileDescriptor.open("/dev/full", .writeOnly)
            defer { try? device.close() }
            return (
                try Self.join(parts, latch: latch).failure,
                try Self.join(parts, to: device, false, FailureLatch()) { _ in }
            )
        }
        #expect(cancelled == .cancelled)
        #expect(full == .writing(.noSpace))
    }
}
